// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The groups of an adaptive engine: at each switch, for each destination switch, all ports with the
// fewest hops left under the engine's turn rule.
//
// Method: the distances of the plain engine (shortest/balance.hpp) determine these ports. A switch
// uses only down ports, or only up ports; only down ports if packets come to it from above. So a
// packet goes up, then down, and comes nearer with every hop, whatever switches choose. No choice
// loops, and the order of channels that proves the plain engine free of deadlock also proves this
// one. Entries with one port are static. The destinations of a switch share a row.
// Encoding: the groups of a switch are numbered from 1, in order of their first destination. Each
// has one sub-group. Cost: O(switches * cables), in parallel over switches.
// Reference: ar_updn and ar_ftree in NVIDIA's OpenSM manual.

#include <cstdint>
#include <string_view>
#include <vector>

#include "routing/adaptive/port_mask.hpp"
#include "routing/engine.hpp"
#include "topology/graph/port_graph.hpp"

namespace fatwood {

// The ports of each switch for each class of destinations.
struct GroupTable {
  std::vector<std::vector<PortMask>> sets;  // by switch; the first set is empty
  std::vector<std::uint16_t> number;        // [class][switch]: a set; 0: one port or none
  std::vector<std::uint32_t> class_of;      // by destination; empty: the number of its switch

  // The number of this set at switch s. A new set is added.
  std::uint16_t number_of(std::size_t s, const PortMask& mask);
  // The number of sets if it has none such.
  std::size_t find(std::size_t s, const PortMask& mask) const;
};
// The same table without sets that no entry uses.
GroupTable without_unused(const GroupTable& table);
GroupTable least_hop_table(const PortGraph& graph, const std::vector<std::uint16_t>& distance,
                           int threads);

// The sets of a table. `tables` has the default ports. PromiseError, starting with the engine's
// name, if a switch needs more groups than options.max_groups.
PortSets sets_of(const Fabric& fabric, const GroupTable& table, const ForwardingTables& tables,
                 std::string_view engine, const RouteOptions& options);

}  // namespace fatwood
