// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A set of ports of a switch, with one bit per port.

#include <array>
#include <bit>
#include <cstdint>

#include "core/ids.hpp"

namespace fatwood {

using PortMask = std::array<std::uint64_t, 4>;

inline bool has(const PortMask& mask, Port port) {
  return ((mask[index(port) / 64U] >> (index(port) % 64U)) & 1U) != 0;
}
inline void put(PortMask& mask, Port port) {
  mask[index(port) / 64U] |= std::uint64_t{1} << (index(port) % 64U);
}
inline void drop(PortMask& mask, Port port) {
  mask[index(port) / 64U] &= ~(std::uint64_t{1} << (index(port) % 64U));
}
inline int count_ports(const PortMask& mask) {
  int ports = 0;
  // Most switches have fewer than 64 ports.
  for (const std::uint64_t word : mask) ports += word == 0 ? 0 : std::popcount(word);
  return ports;
}
// Whether some port is in both.
inline bool overlap(const PortMask& a, const PortMask& b) {
  std::uint64_t both = 0;
  for (std::size_t w = 0; w < a.size(); ++w) both |= a[w] & b[w];
  return both != 0;
}
// The ports of `mask` that are not in `other`.
inline PortMask without(const PortMask& mask, const PortMask& other) {
  PortMask rest{};
  for (std::size_t w = 0; w < mask.size(); ++w) rest[w] = mask[w] & ~other[w];
  return rest;
}
// Calls visit(port) for each, ascending.
template <class Visit>
void each_port(const PortMask& mask, const Visit& visit) {
  for (unsigned w = 0; w < mask.size(); ++w) {
    for (std::uint64_t word = mask[w]; word != 0; word &= word - 1) {
      visit(static_cast<Port>(w * 64 + static_cast<unsigned>(std::countr_zero(word))));
    }
  }
}

}  // namespace fatwood
