// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Chooses one output port for each (switch, destination) among the ports on shortest paths. The
// ports of a switch should carry equally many destinations.
//
// Method: take the destinations in order. At each switch, the destination goes to
// the alternative with the fewest destinations so far; the lowest port on a tie. Three kinds of
// destinations are counted separately, so that they do not disturb each other: counted terminals,
// other terminals (those the user excludes, and aggregation adapters inside switches), and
// switches. With 2^lmc addresses per terminal, a neighbour that carries fewer earlier addresses of
// the terminal is preferred, whatever the counts.
//
// The counts of a switch depend on its own choices only. So blocks of 64 switches (a cache line of
// each row) run in parallel, and the result does not depend on the number of threads. The
// alternatives are found once for all terminals of a leaf.
//
// Cost: O(switches * (trunks + ports)) per destination switch, O(1) per entry.

#include <cstdint>
#include <vector>

#include "routing/adaptive/port_mask.hpp"
#include "routing/engine.hpp"
#include "topology/graph/port_graph.hpp"

namespace fatwood {

enum class Weight : std::uint8_t { kCounted, kUncounted, kSwitch };

// Consecutive destinations, in the order of routing, that are on one switch.
struct Run {
  Switch at;
  std::uint32_t first;  // index into Runs::destinations
  std::uint32_t count;
  Weight weight;
};

struct Runs {
  std::vector<Destination> destinations;
  std::vector<Run> runs;
};

// Terminals in the order of the options. Terminals that the order does not name follow, leaf by
// leaf, each leaf at the place of its first terminal by number. InputError if the order names a
// terminal twice.
std::vector<Terminal> laying_order(const Fabric& fabric, const RouteOptions& options);

// All destinations: terminals in laying_order, each switch after its first terminals, the other
// switches last. Terminals without a switch are left out. A run has at most about 256 destinations;
// the destinations of a terminal are in one run. InputError if the order names a terminal twice.
Runs destination_runs(const Model& model, const ForwardingTables& tables,
                      const RouteOptions& options);

// Distances of an engine: entry [d * switches + s] is the remaining distance from s to d. An
// alternative of s is a "down" trunk whose neighbour has a distance one smaller. If the entry has
// the flag kUpward, it is an "up" trunk whose neighbour has a distance one smaller, with or without
// the flag.
inline constexpr std::uint16_t kUpward = 0x8000;

// All alternatives of switch s towards the destination with this row of distances.
PortMask nearer_ports(const PortGraph& graph, const std::uint16_t* distance, std::uint32_t s);

ForwardingTables balance(const Model& model, const PortGraph& graph,
                         const std::vector<std::uint16_t>& distance, const RouteOptions& options);
// The same with switches as the only destinations: tables of a fabric without terminals.
ForwardingTables balance_switches(const Fabric& fabric, const PortGraph& graph,
                                  const std::vector<std::uint16_t>& distance,
                                  const RouteOptions& options);

}  // namespace fatwood
