// SPDX-License-Identifier: BSD-3-Clause
// minhop: shortest paths; the ports of a switch carry equally many destinations.
//
// Problem: find a port for each (switch, destination) on a path with the fewest hops.
// Method: compute hop counts between switches (bit-parallel breadth-first search). At each switch,
// take the least used port among those one hop nearer (balance.hpp), as OpenSM's min-hop engine
// does.
// Result: tables on one lane, which may have cycles of dependencies.
// Cost: O(switches * cables) for the alternatives, O(1) per table entry.

#include "routing/engine_list.hpp"
#include "routing/shortest/balance.hpp"

namespace fatwood {

Routing route_minhop(const Model& model, const RouteOptions& options) {
  const PortGraph& graph = model.port_graph();
  return {.tables = balance(model, graph, hop_counts(graph, options.threads), options)};
}

}  // namespace fatwood
