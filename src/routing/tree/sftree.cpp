// SPDX-License-Identifier: BSD-3-Clause
// sftree: ftree, and a route for every other pair, switches included, on the same lane.
//
// Problem: two cores of a tree, or a spine and a core of another column, have no route that climbs,
// then descends ([Bogdanski12], section 3.1); nor have terminals that hang there.
// Method ([Bogdanski12], Algorithms 1 and 2): a switch without a route to a target sends towards
// the root of one upside-down sub-tree until a switch that has one. sub_tree.hpp makes that
// sub-tree a second total order of the switches, also where cables are missing; ftree's own routes
// stay as they are unless they break that order. Ranks that are wrong, or a fabric that is not a
// tree, cost balance and hops, never the promise: any connected fabric is routed.
// Result: tables on one lane. Free of deadlock: in the sub-tree's order every route climbs, then
// descends, and is an ascending sequence of (up channels ascending, then down channels
// descending).
// Cost: that of ftree; a row that breaks the order costs O(cables) more.

#include "routing/tree/sftree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "routing/engine_list.hpp"
#include "routing/graph/turn_order.hpp"
#include "routing/tree/relief.hpp"
#include "routing/tree/rows.hpp"
#include "topology/labels.hpp"
#include "topology/leaves.hpp"
#include "topology/switch_net.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kMostNamed = 20;

// The part with the most terminals, then the most switches, then the first.
std::uint32_t main_part(const Fabric& fabric, const Parts& parts) {
  std::vector<std::pair<std::size_t, std::size_t>> size(parts.count);
  for (const std::uint32_t part : parts.part) ++size[part].second;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) != kNone<Switch>) ++size[parts.part[fabric.leaf(t)]].first;
  }
  return static_cast<std::uint32_t>(std::ranges::max_element(size) - size.begin());
}

// Throws PromiseError with the switches and hosts that no cable joins to the main part.
void require_joined(const Model& model, std::string_view engine) {
  const Fabric& fabric = model.fabric();
  const Parts& parts = model.parts();
  if (parts.count <= 1) return;
  const std::uint32_t main = main_part(fabric, parts);
  const Labels& labels = model.labels();
  std::vector<std::string> switches, hosts;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    if (parts.part[s] != main) switches.push_back(labels(s));
  }
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) == kNone<Switch> || parts.part[fabric.leaf(t)] == main) continue;
    hosts.push_back(labels.port(fabric.terminal_channel(t)));
  }
  std::string apart =
      fmt::format("{} ({})", counted(switches.size(), "switch"), listed(switches, kMostNamed));
  if (!hosts.empty()) {
    apart +=
        fmt::format(" and {} ({})", counted(hosts.size(), "host port"), listed(hosts, kMostNamed));
  }
  const auto joined = std::ranges::find(parts.part, main) - parts.part.begin();
  throw PromiseError(
      fmt::format("{} routes every pair, but no cable path joins {} to {} and the rest", engine,
                  apart, labels(Switch{static_cast<std::uint32_t>(joined)})));
}

void require_terminals_on_switches(const Fabric& fabric, std::string_view engine) {
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) != kNone<Switch>) continue;
    const Channel c = fabric.terminal_channel(t);
    throw PromiseError(
        fmt::format("{} routes every terminal, but {} is cabled "
                    "to {}, which is not a switch",
                    engine, port_name(fabric, c), port_name(fabric, fabric.peer(c))));
  }
}

// What is not a tree is ranked by its distance to its centre, as updn does: all that the promise
// needs is some order, and that one has short climbs.
Levels any_levels(const Model& model, const RouteOptions& options) {
  if (model.levels().is_tree() || !model.hints().roots.empty()) return model.levels();
  const auto rank = rank_from(model.port_graph(), {}, options.threads);
  LevelHints hints = model.level_hints();
  for (const Switch s : ids<Switch>(rank.size())) {
    if (rank[s] == 0) hints.roots.push_back(s);
  }
  return find_levels(model.fabric(), hints);
}

}  // namespace

SubTreeRouting lay_sftree(const Model& model, const RouteOptions& options, std::string_view engine,
                          Chains chains) {
  const Fabric& fabric = model.fabric();
  require_switches(fabric, engine);
  const Levels levels = any_levels(model, options);
  require_joined(model, engine);
  require_terminals_on_switches(fabric, engine);
  SubTreeRouting laid{.tree = prepare_tree(model, levels, options, chains), .sub = {}};
  TreeRouting& tree = laid.tree;
  laid.sub = sub_tree(tree.climb, select_root(tree.climb, terminals_on(fabric), options.manager));
  const RowMender mender(tree.climb, laid.sub);
  write_tree_tables(
      fabric, tree.climb, tree.plan, laid.sub.to_root,
      [&](const TreeView& view, std::span<std::uint8_t> row) {
        mender.mend(view.destination(), row);
      },
      tree.threads, tree.tables);
  if (chains == Chains::kLeastUsed) {
    relieve_climbs(model, tree.climb, laid.sub.rank, tree.threads, tree.tables);
  }
  return laid;
}

Routing route_sftree(const Model& model, const RouteOptions& options) {
  Routing routing;
  routing.engine = "sftree";
  routing.tables = std::move(lay_sftree(model, options, "sftree").tree.tables);
  return routing;
}

}  // namespace fatwood
