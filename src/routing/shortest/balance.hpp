// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Chooses one output port for each (switch, destination) among those that keep the engine's
// distance, so that each port of a switch carries as many destinations as the next.
//
// Method (OpenSM's rule, with the alternatives of a leaf found once for all its terminals): take
// the destinations in order; at each switch the port with the fewest destinations so far among
// the alternatives gets the next one, the lowest port on a tie. Terminals that count, those that
// don't (as asked, and the aggregation adapters inside switches), and switches are counted
// separately: the latter neither pile up nor disturb the first. With 2^lmc addresses per terminal,
// ports to neighbours that carry the terminal's earlier addresses least come first, whatever the
// counts.
//
// A switch's counts depend on its own choices alone: blocks of 64 switches (a cache line of each
// row) run in parallel, and the result is the same at any number of threads.
//
// Cost: O(switches * (groups + ports)) per destination switch, O(1) per entry.

#include <cstdint>
#include <vector>

#include "routing/adaptive/port_mask.hpp"
#include "routing/engine.hpp"
#include "topology/graph/port_graph.hpp"

namespace fatwood {

enum class Weight : std::uint8_t { kCounted, kUncounted, kSwitch };

// Destinations that are attached to one switch and follow each other in the order they are laid.
struct Run {
  Switch at;
  std::uint32_t first;  // in Runs::destinations
  std::uint32_t count;
  Weight weight;
};

struct Runs {
  std::vector<Destination> destinations;
  std::vector<Run> runs;
};

// Terminals in the options' order, those it leaves out after them: leaf by leaf, where the first
// of a leaf is, by number. InputError when it names one twice.
std::vector<Terminal> laying_order(const Fabric& fabric, const RouteOptions& options);

// All destinations: terminals in the options' order (those it leaves out follow leaf by leaf), each
// switch's own after its first terminals, the remaining switches last. Terminals that hang on no
// switch are left out. A run has no more than about 256 destinations and keeps a terminal's
// together. InputError when the order names a terminal twice.
Runs destination_runs(const Model& model, const ForwardingTables& tables,
                      const RouteOptions& options);

// Distances of an engine: entry [d * switches + s] is what is left from s to d. An alternative of
// s is a "down" group whose neighbour has one less; where the entry has kUpward, an "up" group
// whose neighbour has one less, going up or not.
inline constexpr std::uint16_t kUpward = 0x8000;

// All alternatives of switch s towards the destination whose row of distances this is.
PortMask nearer_ports(const PortGraph& graph, const std::uint16_t* distance, std::uint32_t s);

ForwardingTables balance(const Model& model, const PortGraph& graph,
                         const std::vector<std::uint16_t>& distance, const RouteOptions& options);
// The same for the switches' own destinations: tables of a fabric without terminals.
ForwardingTables balance_switches(const Fabric& fabric, const PortGraph& graph,
                                  const std::vector<std::uint16_t>& distance,
                                  const RouteOptions& options);

}  // namespace fatwood
