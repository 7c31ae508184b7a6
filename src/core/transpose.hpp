// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Transposes a square of 16 by 16 bytes.
//
// Method: four rounds. Each interleaves the bytes of rows that are eight apart, which turns the
// address (row, column) bit by bit into (column, row). A round is 16 shuffles of 16 bytes.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace fatwood {

inline constexpr std::size_t kSquare = 16;

using Bytes16 = std::uint8_t __attribute__((vector_size(kSquare)));

inline Bytes16 load16(const void* from) {
  Bytes16 bytes;
  std::memcpy(&bytes, from, kSquare);
  return bytes;
}
inline void store16(void* to, Bytes16 bytes) { std::memcpy(to, &bytes, kSquare); }

inline std::array<Bytes16, kSquare> transposed(std::array<Bytes16, kSquare> rows) {
  for (int round = 0; round < 4; ++round) {
    std::array<Bytes16, kSquare> mixed;
    for (std::size_t i = 0; i < kSquare / 2; ++i) {
      mixed[2 * i] = __builtin_shufflevector(rows[i], rows[i + 8], 0, 16, 1, 17, 2, 18, 3, 19, 4,
                                             20, 5, 21, 6, 22, 7, 23);
      mixed[2 * i + 1] = __builtin_shufflevector(rows[i], rows[i + 8], 8, 24, 9, 25, 10, 26, 11, 27,
                                                 12, 28, 13, 29, 14, 30, 15, 31);
    }
    rows = mixed;
  }
  return rows;
}

}  // namespace fatwood
