// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The differences between two rows of forwarding tables. Rows of addresses on one leaf are nearly
// equal. So a proof for one row becomes a proof for the next if only the differences are checked.

#include <cassert>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/ids.hpp"

namespace fatwood {

// Calls take(s) for each switch whose entries differ, in order, until take returns false. Returns
// false if it stopped early. Where the first row has the same entry at eight switches from s on,
// take_eight(s, entry) is called first: true if it took all eight. Eight switches are aligned: s is
// a multiple of 8. REQUIRES rows of one length.
template <class Take, class TakeEight>
bool each_difference(std::span<const Port> a, std::span<const Port> b, const Take& take,
                     const TakeEight& take_eight) {
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
    if (left == (left & 0xffU) * 0x0101010101010101U && take_eight(s, a[s])) continue;
    for (std::uint32_t i = s; i < s + 8; ++i) {
      if (a[i] != b[i] && !take(i)) return false;
    }
  }
  for (; s < size; ++s) {
    if (a[s] != b[s] && !take(s)) return false;
  }
  return true;
}

// Calls take(s) for all switches whose entries differ.
template <class Take>
void for_each_difference(std::span<const Port> a, std::span<const Port> b, const Take& take) {
  each_difference(
      a, b,
      [&](std::uint32_t s) {
        take(s);
        return true;
      },
      [](std::uint32_t, Port) { return false; });
}

}  // namespace fatwood
