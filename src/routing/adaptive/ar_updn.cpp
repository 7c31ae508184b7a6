// SPDX-License-Identifier: BSD-3-Clause
// ar_updn: groups of all ports with the fewest hops under Up*/Down*, for any connected fabric.
//
// Problem: make adaptive tables, as most large InfiniBand fabrics use them, that are free of
// deadlock on one lane whatever port of a group is chosen.
// Method: updn+'s order and distances (updn_plus.cpp), with its balanced tables as default ports.
// At each switch the group has every port from which the fewest hops remain (least_hop_groups.hpp).
// As in updn+, every pair has a route, even two roots, over the joint (turn_order.hpp).
// Result: tables and port sets on one lane. Cost: that of updn+, and O(switches * cables).

#include "routing/adaptive/least_hop_groups.hpp"
#include "routing/engine_list.hpp"
#include "routing/shortest/updn_plus.hpp"

namespace fatwood {

Routing route_ar_updn(const Model& model, const RouteOptions& options) {
  UpDownTables plain = up_down_tables(model, updn_order(model, options), options);
  const GroupTable groups = least_hop_table(plain.graph, plain.distance, options.threads);
  PortSets sets = sets_of(model.fabric(), groups, plain.tables, "ar_updn", options);
  return {.tables = std::move(plain.tables), .sets = std::move(sets)};
}

}  // namespace fatwood
