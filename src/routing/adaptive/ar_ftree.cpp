// SPDX-License-Identifier: BSD-3-Clause
// ar_ftree: all ports of least hops up a tree, then down, as a group.
//
// Problem: as ar_updn, on fabrics like a tree, without any hop that goes up after it went down: two
// switches at the top have no route to each other, as in ftree.
// Method: ftree's tables as default ports; at each switch every port of least hops under ftree's
// order of switches, by level and then by number, as a group (least_hop_groups.hpp).
// Result: tables and port sets on one lane. Cost: ftree's, and O(switches * cables).

#include "routing/adaptive/least_hop_groups.hpp"
#include "routing/engine_list.hpp"
#include "routing/graph/turn_order.hpp"
#include "routing/tree/up_down_order.hpp"

namespace fatwood {

Routing route_ar_ftree(const Model& model, const RouteOptions& options) {
  require_tree(model.levels(), "ar_ftree");
  Routing routing = route_ftree(model, options);
  routing.engine = "ar_ftree";
  const Position position = UpDownOrder(model.port_graph(), model.levels()).position();
  const PortGraph graph = order_groups(model.port_graph(), position);
  const std::vector<std::uint16_t> distance = legal_distances(graph, position, options.threads);
  routing.sets =
      least_hop_groups(model.fabric(), graph, distance, routing.tables, routing.engine, options);
  return routing;
}

}  // namespace fatwood
