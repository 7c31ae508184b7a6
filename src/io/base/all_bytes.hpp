// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Reads a whole input into memory, for binary formats that need random access.

#include <array>
#include <string>

#include "io/base/input.hpp"

namespace fatwood {

// InputError above 4 GiB.
inline std::string all_bytes(Input& input) {
  constexpr std::size_t kMost = std::size_t{4} << 30;
  std::string bytes;
  std::array<char, 65536> buffer{};
  while (const std::size_t count = input.read(buffer)) {
    bytes.append(buffer.data(), count);
    if (bytes.size() > kMost) throw InputError({input.name(), 0, 0}, "more than 4 GiB");
  }
  return bytes;
}

}  // namespace fatwood
