// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Where eight switches lead that have the same entry: for eight consecutive switches, from a
// multiple of 8 on, and a value of their entries, the next switch of all eight.
//
// In trees, leaves of one pod have the same neighbours by the same ports, and often equal entries.
// So one look serves eight entries.
// Size: 128 bytes per switch.

#include <cstdint>
#include <cstring>
#include <vector>

#include "topology/graph/hop_map.hpp"

namespace fatwood {

// Whether eight entries in a row are equal.
inline bool eight_equal(const Port* entries) {
  std::uint64_t all = 0;
  std::memcpy(&all, entries, 8);
  return all == (all & 0xffU) * 0x0101010101010101U;
}

class CommonHops {
 public:
  CommonHops(const HopMap& map, std::size_t switches) : next_(switches / 8 * 256, kNobody) {
    for (std::uint32_t s = 0; s + 8 <= switches; s += 8) {
      for (std::uint32_t entry = 0; entry < 256; ++entry) {
        const auto port = static_cast<Port>(entry);
        const Hop first = map.at(s, port);
        bool common = first.to_switch();
        for (std::uint32_t i = s + 1; common && i < s + 8; ++i) {
          const Hop hop = map.at(i, port);
          common = hop.to_switch() && hop.next() == first.next();
        }
        if (common) next_[s / 8 * 256 + entry] = first.next();
      }
    }
  }
  static constexpr std::uint32_t kNobody = 0xffffffffU;
  // REQUIRES a multiple of 8.
  std::uint32_t next(std::uint32_t first_switch, Port entry) const {
    return next_[first_switch / 8 * 256 + index(entry)];
  }

 private:
  std::vector<std::uint32_t> next_;
};

}  // namespace fatwood
