// SPDX-License-Identifier: BSD-3-Clause
// minhop: shortest paths, ports balanced by the number of destinations.
//
// Problem: a port for each (switch, destination) on a path of the fewest hops.
// Method: hop counts among switches (bit-parallel breadth-first search), then at each switch the
// least-used port among those one hop nearer (balance.hpp). OpenSM's min-hop engine works alike.
// Result: tables on one lane. Nothing keeps the channels free of cycles of dependencies.
// Cost: O(switches * cables) for the alternatives, O(1) per table entry.

#include "routing/engine.hpp"
#include "routing/engine_list.hpp"
#include "routing/shortest/balance.hpp"

namespace fatwood {

Routing route_minhop(const Model& model, const RouteOptions& options) {
  const PortGraph& graph = model.port_graph();
  Routing routing;
  routing.engine = "minhop";
  routing.tables = balance(model, graph, hop_counts(graph, options.threads), options);
  return routing;
}

}  // namespace fatwood
