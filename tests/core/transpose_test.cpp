// SPDX-License-Identifier: BSD-3-Clause
#include "core/transpose.hpp"

#include <gtest/gtest.h>

namespace fatwood {
namespace {

TEST(Transpose, RowsBecomeColumns) {
  std::array<Bytes16, kSquare> square;
  for (std::size_t row = 0; row < kSquare; ++row) {
    std::array<std::uint8_t, kSquare> bytes;
    for (std::size_t column = 0; column < kSquare; ++column) {
      bytes[column] = static_cast<std::uint8_t>(16 * row + column);
    }
    square[row] = load16(bytes.data());
  }
  square = transposed(square);
  for (std::size_t row = 0; row < kSquare; ++row) {
    std::array<std::uint8_t, kSquare> bytes;
    store16(bytes.data(), square[row]);
    for (std::size_t column = 0; column < kSquare; ++column) {
      EXPECT_EQ(bytes[column], 16 * column + row);
    }
  }
}

}  // namespace
}  // namespace fatwood
