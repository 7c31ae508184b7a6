// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The differences of two rows of forwarding tables. Addresses of one leaf have rows that are much
// alike, so what was proved for one is proved for the next by looking at the differences alone.

#include <cassert>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/ids.hpp"

namespace fatwood {

// Calls take(s) for each switch with another entry, in order, until it says false; whether it never
// did. REQUIRES rows of one length.
template <class Take>
bool each_difference(std::span<const Port> a, std::span<const Port> b, const Take& take) {
  static_assert(sizeof(Port) == 1);
  assert(a.size() == b.size());
  std::uint32_t s = 0;
  const auto size = static_cast<std::uint32_t>(a.size());
  for (; s + 8 <= size; s += 8) {
    std::uint64_t left = 0;
    std::uint64_t right = 0;
    std::memcpy(&left, a.data() + s, 8);
    std::memcpy(&right, b.data() + s, 8);
    if (left == right) continue;
    for (std::uint32_t i = s; i < s + 8; ++i) {
      if (a[i] != b[i] && !take(i)) return false;
    }
  }
  for (; s < size; ++s) {
    if (a[s] != b[s] && !take(s)) return false;
  }
  return true;
}

}  // namespace fatwood
