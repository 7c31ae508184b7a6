// SPDX-License-Identifier: BSD-3-Clause
// ar_updn: groups of all ports with the fewest hops under Up*/Down*, for any connected fabric.
//
// Problem: make adaptive tables, as most large InfiniBand fabrics use them, that are free of
// deadlock on one lane whatever port of a group is chosen.
// Method: updn's order and distances (updn.cpp), with its balanced tables as default ports. At each
// switch the group has every port from which the fewest hops remain (least_hop_groups.hpp). As in
// updn, every pair has a route, even two roots, over the joint (turn_order.hpp).
// Result: tables and port sets on one lane. Cost: that of updn, and O(switches * cables).

#include "routing/adaptive/least_hop_groups.hpp"
#include "routing/engine_list.hpp"
#include "routing/graph/turn_order.hpp"
#include "routing/shortest/balance.hpp"
#include "routing/shortest/updn.hpp"

namespace fatwood {

Routing route_ar_updn(const Model& model, const RouteOptions& options) {
  const Position position = updn_order(model, options);
  const PortGraph graph = order_trunks(model.port_graph(), position);
  const std::vector<std::uint16_t> distance =
      legal_distances(graph, position, DownPaths::kFromAbove, options.threads);
  Routing routing;
  routing.engine = "ar_updn";
  routing.tables = balance(model, graph, distance, options);
  routing.sets =
      least_hop_groups(model.fabric(), graph, distance, routing.tables, routing.engine, options);
  return routing;
}

}  // namespace fatwood
