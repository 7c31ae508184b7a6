// SPDX-License-Identifier: BSD-3-Clause
// ar_even: the groups of ar_updn, reduced so that adaptive all-to-all is even if cables are
// missing.
//
// Problem: a switch divides its traffic equally over the ports of a group, but the cables behind
// these ports may differ in number. Behind the ports with fewer cables, links are overloaded.
// (NVIDIA calls such trees asymmetric.)
// Method: order the switches by the levels of the tree, and take all ports with the fewest hops as
// groups, as ar_updn does. Then remove ports from groups until no link is (much) above the fair
// share of its cuts (even_groups.hpp). Every group is a part of a group of ar_updn's kind, so the
// proofs for these hold (least_hop_groups.hpp).
// Result: tables and port sets on one lane. Cost: that of ar_updn, and some passes over all-to-all.

#include "routing/adaptive/even_groups.hpp"
#include "routing/engine_list.hpp"
#include "routing/graph/turn_order.hpp"
#include "routing/shortest/updn_plus.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood {

namespace {

// Order by the levels of the tree, or of what is left of one; updn's order if there are no levels,
// or if roots are given.
Position level_order(const Model& model, const RouteOptions& options) {
  const Levels& levels = model.levels();
  if (!model.hints().roots.empty() || levels.height < 2) return updn_order(model, options);
  Table<Switch, std::uint32_t> rank(model.port_graph().size());
  for (const Switch s : ids<Switch>(rank.size())) {
    rank[s] = static_cast<std::uint32_t>(levels.height - levels.level[s]);
  }
  return joined_order(model.port_graph(), rank, options.manager);
}

// Replaces a default port that was removed from its group by another port of the group, in turn.
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
  auto [graph, distance, tables] = up_down_tables(model, level_order(model, options), options);
  if (graph.size() == 0) return {.tables = std::move(tables)};
  const GroupTable table =
      even_groups(model, distance, least_hop_table(graph, distance, options.threads), tables,
                  options.max_groups);
  keep_defaults_in_groups(model.fabric(), table, tables);
  PortSets sets = sets_of(model.fabric(), table, tables, "ar_even", options);
  return {.tables = std::move(tables), .sets = std::move(sets)};
}

}  // namespace fatwood
