// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The groups of an adaptive engine: at each switch, for each destination switch, all ports by which
// the least hops are left under the engine's turn rule.
//
// Method: the distances that a plain engine balances over (shortest/balance.hpp) say which ports
// those are. A switch that can go down all the way only goes down, any other only goes up: whatever
// is chosen at each hop, a packet goes up, then down, and comes nearer with every hop. So no choice
// loops, and the order of channels that proves the plain engine free of deadlock proves this one.
// Entries with one port are static. The destinations of a switch share a row.
// Encoding: groups of a switch are numbered from 1 in the order their first destination has. All
// are of one sub-group. Cost: O(switches * cables), in parallel over switches.
// Reference: NVIDIA's manual of OpenSM on ar_updn and ar_ftree.

#include <cstdint>
#include <string_view>
#include <vector>

#include "routing/adaptive/port_mask.hpp"
#include "routing/engine.hpp"
#include "topology/graph/port_graph.hpp"

namespace fatwood {

// The ports of each switch for each class of destinations.
struct GroupTable {
  std::vector<std::vector<PortMask>> sets;  // by switch; the first has no ports
  std::vector<std::uint16_t> number;        // [class][switch]: a set; 0: one port, or none
  std::vector<std::uint32_t> class_of;      // by destination; empty: the number of its switch

  // The number of a set of the switch, which is added where it is new.
  std::uint16_t number_of(std::size_t s, const PortMask& mask);
};
GroupTable least_hop_table(const PortGraph& graph, const std::vector<std::uint16_t>& distance,
                           int threads);

// The sets of a table. `tables` are the default ports. PromiseError, led by the engine's name, when
// a switch takes more groups than options.max_groups.
PortSets sets_of(const Fabric& fabric, const GroupTable& table, const ForwardingTables& tables,
                 std::string_view engine, const RouteOptions& options);

// Both in one. `tables` are the default ports. PromiseError, led by the engine's name, when a
// switch takes more groups than options.max_groups.
PortSets least_hop_groups(const Fabric& fabric, const PortGraph& graph,
                          const std::vector<std::uint16_t>& distance,
                          const ForwardingTables& tables, std::string_view engine,
                          const RouteOptions& options);

}  // namespace fatwood
