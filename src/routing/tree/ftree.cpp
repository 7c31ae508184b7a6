// SPDX-License-Identifier: BSD-3-Clause
// ftree: routes any fabric like a tree, complete or not, without files of roots or nodes.
//
// Problem: find up*/down* routes whose down channels each serve as few destinations as possible
// ([Bogdanski12], section 3; [Zahavi09]).
// Method: rank the switches (topology/levels/levels.hpp), order them (up_down_order.hpp), choose
// for each destination the chain by which its traffic comes down (descents.hpp), write the rows
// (rows.hpp), and rebalance the up links (rebalance_up.hpp). There are no special cases: hosts on
// spines, leaves above the cores, horizontal cables and missing cables follow the same rule,
// wherever a path exists that goes up, then down.
// Result: tables on one lane, shortest legal
// routes. They are free of deadlock, because every route follows one order of channels: up channels
// ascending, then down channels descending.
// Cost: about a few copies of the table.

#include "core/error.hpp"
#include "routing/engine_list.hpp"
#include "routing/tree/rebalance_up.hpp"
#include "routing/tree/rows.hpp"

namespace fatwood {

Routing route_ftree(const Model& model, const RouteOptions& options) {
  const Fabric& fabric = model.fabric();
  if (fabric.num_switches() == 0) {
    throw PromiseError("ftree needs a fabric with switches: this one has none");
  }
  require_tree(model.levels(), "ftree");
  TreeRouting tree = prepare_tree(model, model.levels(), options);
  const RestRows rest{.ports = std::vector<Port>(fabric.num_switches(), kNoRoute)};
  write_tree_tables(fabric, rest, {}, tree);
  rebalance_up_links(model, tree.up_down.position(), tree);
  return {.tables = std::move(tree.tables)};
}

}  // namespace fatwood
