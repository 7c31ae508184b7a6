// SPDX-License-Identifier: BSD-3-Clause
// ar_updn: all ports of least hops under Up*/Down* as a group, for any connected fabric.
//
// Problem: the adaptive tables that most large InfiniBand fabrics run, free of deadlock on one lane
// whatever port of a group is taken.
// Method: updn's order and distances (updn.cpp), its balanced tables as default ports, and at each
// switch every port that keeps the distance as a group (least_hop_groups.hpp). As in updn, every
// pair has a route, roots included, over the joint (turn_order.hpp).
// Result: tables and port sets on one lane. Cost: updn's, and O(switches * cables).

#include "routing/adaptive/least_hop_groups.hpp"
#include "routing/engine_list.hpp"
#include "routing/graph/turn_order.hpp"
#include "routing/shortest/balance.hpp"
#include "routing/shortest/up_down.hpp"

namespace fatwood {

Routing route_ar_updn(const Model& model, const RouteOptions& options) {
  const Position position = updn_order(model, options);
  const PortGraph graph = order_groups(model.port_graph(), position);
  const std::vector<std::uint16_t> distance = legal_distances(graph, position, options.threads);
  Routing routing;
  routing.engine = "ar_updn";
  routing.tables = balance(model, graph, distance, options);
  routing.sets =
      least_hop_groups(model.fabric(), graph, distance, routing.tables, routing.engine, options);
  return routing;
}

}  // namespace fatwood
