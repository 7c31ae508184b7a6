// SPDX-License-Identifier: BSD-3-Clause
// updn+: Up*/Down* routing, free of deadlock on one lane, with a route for every pair of
// switches.
//
// Problem: find tables in which no route turns from down to up.
// Method: order the switches (turn_order.hpp) from the roots: those given, those at the top of a
// tree that recognition finds, or else the centre of the graph. For each destination, switches that
// packets reach from above use a path that only goes down; the others use a shortest legal path
// (legal_distances). One next hop serves all packets that enter a switch, so alternatives that
// would break the rule for some of them are left out. Ports are balanced by balance.hpp.
// Result: tables on one lane. Cost: O(switches * cables), O(1) per table entry.
// Paper: [Schroeder91]; [Bogdanski12], section 3; [Chiu02], section 2.

#include "routing/shortest/updn_plus.hpp"

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

UpDownTables up_down_tables(const Model& model, const Position& position,
                            const RouteOptions& options) {
  PortGraph graph = order_trunks(model.port_graph(), position);
  std::vector<std::uint16_t> distance =
      legal_distances(graph, position, DownPaths::kFromAbove, options.threads);
  ForwardingTables tables = balance(model, graph, distance, options);
  return {std::move(graph), std::move(distance), std::move(tables)};
}

Routing route_updn_plus(const Model& model, const RouteOptions& options) {
  return {.tables = up_down_tables(model, updn_order(model, options), options).tables};
}

}  // namespace fatwood
