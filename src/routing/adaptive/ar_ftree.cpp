// SPDX-License-Identifier: BSD-3-Clause
// ar_ftree: groups of all ports with the fewest hops up a tree, then down.
//
// Problem: as in ar_updn, on fabrics like a tree, but no hop ever goes up after a hop down. So two
// switches at the top have no route to each other, as in ftree.
// Method: ftree's tables give the default ports. At each switch the group has every port with the
// fewest hops under ftree's order of switches, by level and then by number (least_hop_groups.hpp).
// Result: tables and port sets on one lane. Cost: that of ftree, and O(switches * cables).

#include "routing/adaptive/least_hop_groups.hpp"
#include "routing/engine_list.hpp"
#include "routing/graph/turn_order.hpp"
#include "routing/tree/up_down_order.hpp"

namespace fatwood {

Routing route_ar_ftree(const Model& model, const RouteOptions& options) {
  require_tree(model.levels(), "ar_ftree");
  Routing routing = route_ftree(model, options);
  const Position position = UpDownOrder(model.port_graph(), model.levels()).position();
  const PortGraph graph = order_trunks(model.port_graph(), position);
  const std::vector<std::uint16_t> distance =
      legal_distances(graph, position, DownPaths::kAlways, options.threads);
  routing.sets = sets_of(model.fabric(), least_hop_table(graph, distance, options.threads),
                         routing.tables, "ar_ftree", options);
  return routing;
}

}  // namespace fatwood
