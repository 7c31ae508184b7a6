// SPDX-License-Identifier: BSD-3-Clause
#include "topology/hosts/aggregation.hpp"

#include <algorithm>
#include <array>

namespace fatwood {
namespace {

// Smaller boxes never had one; small made-up trees are odd often.
constexpr std::uint32_t kLeastRadix = 33;

bool hardware_says_so(const Fabric& fabric, Terminal t) {
  const Node adapter = fabric.adapter_node(t);
  const Hardware& hardware = fabric.hardware(adapter);
  if (hardware.device == kAggregationDevice) return true;
  if (fabric.description(adapter).find("Aggregation Node") != std::string_view::npos) return true;
  const std::uint64_t box = fabric.hardware(fabric.node(fabric.leaf(t))).system_guid;
  return box != 0 && box == hardware.system_guid;
}

// Whether switches with this many ports all have an internal adapter on their highest one.
std::array<bool, kMaxPorts + 1> radixes_with_internal_port(const Fabric& fabric) {
  std::array<bool, kMaxPorts + 1> all{};
  std::array<bool, kMaxPorts + 1> one_alone{};
  all.fill(true);
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const Node node = fabric.node(s);
    const std::uint32_t radix = fabric.ports(node);
    const Channel top = fabric.channel(node, static_cast<Port>(radix));
    // Ethernet has none.
    if (radix % 2 == 0 || radix < kLeastRadix || !fabric.connected(top) ||
        is_ethernet(fabric.rate(top)) || fabric.is_switch(fabric.neighbour(top)) ||
        fabric.ports(fabric.neighbour(top)) != 1) {
      all[radix] = false;
      continue;
    }
    const auto below = fabric.channels(node) | std::views::take(radix - 1);
    if (std::ranges::all_of(below, [&](Channel c) {
          return !fabric.connected(c) || fabric.is_switch(fabric.neighbour(c));
        }))
      one_alone[radix] = true;
  }
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = all[i] && one_alone[i];
  return all;
}

}  // namespace

Table<Terminal, std::uint8_t> aggregation_terminals(const Fabric& fabric) {
  Table<Terminal, std::uint8_t> result(fabric.num_terminals());
  const auto internal = radixes_with_internal_port(fabric);
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) == kNone<Switch>) continue;
    const Channel c = fabric.peer(fabric.terminal_channel(t));
    const std::uint32_t radix = fabric.ports(fabric.owner(c));
    result[t] = hardware_says_so(fabric, t) || (internal[radix] && index(fabric.port(c)) == radix);
  }
  return result;
}

}  // namespace fatwood
