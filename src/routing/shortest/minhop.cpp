// SPDX-License-Identifier: BSD-3-Clause
// minhop: shortest paths; the ports of a switch carry equally many destinations. The tables are
// those of OpenSM 3.3.23 (`opensm -R minhop`, its default), entry by entry.
//
// Problem: find a port for each (switch, destination) on a path with the fewest hops.
// Method: compute hop counts between switches (bit-parallel breadth-first search). At each switch,
// take the least used port among those one hop nearer, in OpenSM's order (opensm_balance.hpp).
// Result: tables on one lane, which may have cycles of dependencies.
// Cost: O(switches * cables) for the alternatives, O(1) per table entry.

#include "routing/engine_list.hpp"
#include "routing/shortest/opensm_balance.hpp"

namespace fatwood {

Routing route_minhop(const Model& model, const RouteOptions& options) {
  const LeadingTrunks nearer{hop_counts(model.port_graph(), options.threads), {}, 0};
  return {.tables = opensm_balance(model, nearer, options)};
}

}  // namespace fatwood
