// SPDX-License-Identifier: BSD-3-Clause
// ar_even: groups as ar_updn's, cut so that adaptive all-to-all is even where cables are missing.
//
// Problem: a switch spreads evenly over a group, but behind its ports there are not as many cables
// any more; what lies behind the poorer ones is too full. (What NVIDIA calls asymmetric trees.)
// Method: an order by the levels of the tree, and all ports of least hops as ar_updn has them; then
// ports are taken out of groups until no link has more than the fair share of its cuts, or hardly
// so (even_groups.hpp). Every group is a part of a group of all ports of least hops, so that the
// proofs for those hold (least_hop_groups.hpp).
// Result: tables and port sets on one lane. Cost: ar_updn's, and some passes over all-to-all.

#include "routing/adaptive/even_groups.hpp"
#include "routing/engine_list.hpp"
#include "routing/graph/turn_order.hpp"
#include "routing/shortest/balance.hpp"
#include "routing/shortest/up_down.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood {

namespace {

// By the levels of the tree, or of what is left of one; updn's order where there are none, or where
// roots are given.
Position level_order(const Model& model, const RouteOptions& options) {
  const Levels& levels = model.levels();
  if (!model.hints().roots.empty() || levels.height < 2) return updn_order(model, options);
  Table<Switch, std::uint32_t> rank(model.port_graph().switches);
  for (const Switch s : ids<Switch>(rank.size())) {
    rank[s] = static_cast<std::uint32_t>(levels.height - levels.level[s]);
  }
  return joined_order(model.port_graph(), rank, options.manager);
}

// A default port that was cut gives way to another of the group, by turns.
void keep_defaults_in_groups(const Fabric& fabric, const GroupTable& table,
                             ForwardingTables& tables) {
  const std::size_t switches = fabric.num_switches();
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    if (home_of(fabric, tables, destination) == kNone<Switch>) continue;
    const std::uint32_t kind = table.class_of[index(destination)];
    for (std::size_t s = 0; s < switches; ++s) {
      const std::uint16_t number = table.number[kind * switches + s];
      Port& own = tables.row(destination)[s];
      if (number == 0 || has(table.sets[s][number], own)) continue;
      const PortMask& mask = table.sets[s][number];
      auto skip = static_cast<int>(index(destination)) % count_ports(mask);
      each_port(mask, [&](Port port) {
        if (skip-- == 0) own = port;
      });
    }
  }
}

}  // namespace

Routing route_ar_even(const Model& model, const RouteOptions& options) {
  const Position position = level_order(model, options);
  const PortGraph graph = order_groups(model.port_graph(), position);
  const std::vector<std::uint16_t> distance = legal_distances(graph, position, options.threads);
  Routing routing;
  routing.engine = "ar_even";
  routing.tables = balance(model, graph, distance, options);
  if (graph.switches == 0) return routing;
  const GroupTable table =
      even_groups(model, distance, least_hop_table(graph, distance, options.threads),
                  routing.tables, options.max_groups);
  keep_defaults_in_groups(model.fabric(), table, routing.tables);
  routing.sets = sets_of(model.fabric(), table, routing.tables, routing.engine, options);
  return routing;
}

}  // namespace fatwood
