// SPDX-License-Identifier: BSD-3-Clause
// sftree: ftree, with a route for every other pair, switches included, on the same lane.
//
// Problem: some pairs have no up*/down* route: two cores of a tree, a spine and a core of another
// column ([Bogdanski12], section 3.1), and terminals on them.
// Method ([Bogdanski12], Algorithms 1 and 2): a switch without a route to a destination sends
// towards the root of an upside-down sub-tree, until a switch that has a route. sub_tree.hpp
// extends that sub-tree to a second order of all switches, even if cables are missing. Routes of
// ftree are changed only if they break that order. Wrong levels, or a fabric that is not a tree,
// cost balance and hops; still every connected pair is routed. A disconnected fabric is routed
// component by component (by_component.hpp).
// Result: tables on one lane. They are free of deadlock: in the order of the sub-tree every route
// goes up, then down, so it follows one order of channels, as in ftree.
// Cost: that of ftree; a row that breaks the order costs O(cables) more.

#include "routing/tree/sftree.hpp"

#include <utility>

#include "routing/engine_list.hpp"
#include "routing/graph/turn_order.hpp"
#include "routing/tree/by_component.hpp"
#include "routing/tree/home_chains.hpp"
#include "routing/tree/rebalance_up.hpp"
#include "routing/tree/rows.hpp"

namespace fatwood {

namespace {

// A fabric that is not a tree is ranked by the distance to its centre, as updn+ does: the promise
// needs any order, and this one has short paths up.
Levels any_levels(const Model& model, const RouteOptions& options) {
  if (model.levels().is_tree() || !model.hints().roots.empty()) return model.levels();
  const auto rank = rank_from(model.port_graph(), {}, options.threads);
  LevelHints hints = model.level_hints();
  for (const Switch s : ids<Switch>(rank.size())) {
    if (rank[s] == 0) hints.roots.push_back(s);
  }
  return find_levels(model.fabric(), model.port_graph(), hints);
}

// The rows above go up to the chains as balance asks; d-mod-k's ports separate neighbouring hosts.
void choose_home_ports(const Model& model, const RouteOptions& options, SubTreeRouting& laid) {
  HomeChains homes(model, model.counted(), options.host_order);
  if (!homes.chooses()) return;
  ForwardingTables& tables = laid.tree.tables;
  for (const Terminal t : ids<Terminal>(model.fabric().num_terminals())) {
    homes.choose(t, laid.sub.rank, tables.row(tables.destination(t)));
  }
}

}  // namespace

SubTreeRouting lay_sftree(const Model& model, const RouteOptions& options, Chains chains) {
  const Fabric& fabric = model.fabric();
  const Levels levels = any_levels(model, options);
  SubTreeRouting laid{.tree = prepare_tree(model, levels, options, chains), .sub = {}};
  TreeRouting& tree = laid.tree;
  laid.sub =
      sub_tree(tree.up_down, select_root(tree.up_down, terminals_on(fabric), options.manager));
  const auto finish = [&](Switch destination, std::span<Port> row) {
    mend_row(tree.up_down, laid.sub, destination, row);
  };
  write_tree_tables(fabric, laid.sub.to_root, finish, tree);
  if (chains == Chains::kLeastUsed) {
    rebalance_up_links(model, laid.sub.rank, tree);
  } else {
    choose_home_ports(model, options, laid);
  }
  return laid;
}

Routing route_sftree(const Model& model, const RouteOptions& options) {
  if (!is_joined(model)) return route_components(model, options, route_sftree);
  return {.tables = std::move(lay_sftree(model, options).tree.tables)};
}

}  // namespace fatwood
