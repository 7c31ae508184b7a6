// SPDX-License-Identifier: BSD-3-Clause
// updn: Up*/Down* routing, free of deadlock on one lane, with a route for every pair of switches.
//
// Problem: find tables in which no route turns from down to up.
// Method: order the switches (turn_order.hpp) from the roots: those given, those at the top of a
// tree that recognition finds, or else the centre of the graph. For each destination, switches that
// packets reach from above use a path that only goes down; the others use a shortest legal path
// (legal_distances). One next hop serves all packets that enter a switch, so alternatives that
// would break the rule for some of them are left out. Ports are balanced by balance.hpp.
// Result: tables on one lane. Cost: O(switches * cables), O(1) per table entry.
// Paper: [Schroeder91]; [Bogdanski12], section 3; [Chiu02], section 2.

#include "routing/shortest/updn.hpp"

#include "routing/engine_list.hpp"
#include "routing/graph/turn_order.hpp"
#include "routing/shortest/balance.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood {

namespace {

// 0 at the top.
Table<Switch, std::uint32_t> rank_of(const Model& model, const RouteOptions& options) {
  const PortGraph& graph = model.port_graph();
  const std::vector<Switch>& roots = model.hints().roots;
  if (!roots.empty()) return rank_from(graph, roots, options.threads);
  const Levels& levels = model.levels();
  if (!levels.is_tree()) return rank_from(graph, {}, options.threads);
  Table<Switch, std::uint32_t> rank(graph.size());
  for (const Switch s : ids<Switch>(graph.size())) {
    rank[s] = static_cast<std::uint32_t>(levels.height - levels.level[s]);
  }
  return rank;
}

}  // namespace

Position updn_order(const Model& model, const RouteOptions& options) {
  return joined_order(model.port_graph(), rank_of(model, options), options.manager);
}

ForwardingTables route_up_down(const Model& model, const Table<Switch, std::uint32_t>& rank,
                               const RouteOptions& options) {
  const PortGraph& graph = model.port_graph();
  const Position position = joined_order(graph, rank, options.manager);
  const PortGraph ordered = order_trunks(graph, position);
  return balance(model, ordered,
                 legal_distances(ordered, position, DownPaths::kFromAbove, options.threads),
                 options);
}

Routing route_updn(const Model& model, const RouteOptions& options) {
  Routing routing;
  routing.engine = "updn";
  routing.tables = route_up_down(model, rank_of(model, options), options);
  return routing;
}

}  // namespace fatwood
