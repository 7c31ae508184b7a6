// SPDX-License-Identifier: BSD-3-Clause
// dnup: Up*/Down* ranked from the hosts instead of the roots, for trees with hosts near the top.
//
// Problem: updn ranks a switch by its distance to the roots. So for hosts on middle switches the
// tree is upside down.
// Method: the rank of a switch is its distance to the nearest switch with hosts. A route first goes
// away from hosts, then back. This is Up*/Down* over the switches in order of falling rank
// (turn_order.hpp), with a joint, so that every pair has a route. Hosts are the given compute
// nodes, or all terminals outside switches. Given roots come first, whatever their rank.
// Result: tables on one lane. Cost: as updn.

#include <algorithm>

#include "routing/engine_list.hpp"
#include "routing/graph/turn_order.hpp"
#include "routing/shortest/updn.hpp"

namespace fatwood {

namespace {

std::vector<Switch> switches_with_hosts(const Model& model) {
  const Fabric& fabric = model.fabric();
  std::vector<char> has(fabric.num_switches());
  const auto mark = [&](Terminal t) {
    if (fabric.leaf(t) != kNone<Switch>) has[index(fabric.leaf(t))] = 1;
  };
  const std::vector<Terminal>& compute = model.hints().compute;
  std::ranges::for_each(compute, mark);
  for (const Terminal t : ids<Terminal>(compute.empty() ? fabric.num_terminals() : 0)) {
    if (model.aggregation()[t] == 0) mark(t);
  }
  std::vector<Switch> result;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    if (has[index(s)] != 0) result.push_back(s);
  }
  return result;
}

}  // namespace

Routing route_dnup(const Model& model, const RouteOptions& options) {
  Table<Switch, std::uint32_t> rank =
      rank_from(model.port_graph(), switches_with_hosts(model), options.threads);
  const std::uint32_t farthest = rank.empty() ? 0 : *std::ranges::max_element(rank);
  for (std::uint32_t& r : rank) r = farthest + 1 - r;
  for (const Switch root : model.hints().roots) rank[root] = 0;
  const Position position = joined_order(model.port_graph(), rank, options.manager);
  return {.tables = up_down_tables(model, position, options).tables};
}

}  // namespace fatwood
