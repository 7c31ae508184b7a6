// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A set of ports of a switch, a bit for each.

#include <array>
#include <bit>
#include <cstdint>

namespace fatwood {

using PortMask = std::array<std::uint64_t, 4>;

inline bool has(const PortMask& mask, std::uint8_t port) {
  return ((mask[port / 64U] >> (port % 64U)) & 1U) != 0;
}
inline void put(PortMask& mask, std::uint8_t port) {
  mask[port / 64U] |= std::uint64_t{1} << (port % 64U);
}
inline int count_ports(const PortMask& mask) {
  int ports = 0;
  for (const std::uint64_t word : mask) ports += std::popcount(word);
  return ports;
}

}  // namespace fatwood
