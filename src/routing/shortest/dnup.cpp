// dnup: Up*/Down* ranked from the hosts instead of the roots, for trees with hosts near the top.
//
// Problem: updn calls a host's switch high or low by its distance to the roots, so hosts on
// middle switches see the tree upside down.
// Method: the rank of a switch is its distance to the nearest switch with hosts; a route first
// goes away from hosts, then back. That is Up*/Down* over the switches in order of falling rank
// (turn_order.hpp), joined so that every pair has a route. Hosts are the given compute nodes, or
// all terminals but those that are parts of a switch. Given roots come first whatever their rank.
// Result: tables on one lane. Cost: as updn.

#include <algorithm>

#include "routing/engine_list.hpp"
#include "routing/graph/turn_order.hpp"
#include "routing/shortest/up_down.hpp"
#include "topology/aggregation.hpp"

namespace fatwood {

namespace {

std::vector<Switch> switches_with_hosts(const Fabric& fabric, const RouteOptions& options) {
  std::vector<char> has(fabric.num_switches());
  const auto mark = [&](Terminal t) {
    if (fabric.leaf(t) != kNone<Switch>) has[index(fabric.leaf(t))] = 1;
  };
  if (options.compute.empty()) {
    const Table<Terminal, std::uint8_t> inside = aggregation_terminals(fabric);
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      if (inside[t] == 0) mark(t);
    }
  } else {
    std::ranges::for_each(options.compute, mark);
  }
  std::vector<Switch> result;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    if (has[index(s)] != 0) result.push_back(s);
  }
  return result;
}

}  // namespace

Routing route_dnup(const Fabric& fabric, const RouteOptions& options) {
  const PortGraph graph = port_graph(fabric);
  Table<Switch, std::uint32_t> rank =
      rank_from(graph, switches_with_hosts(fabric, options), options.threads);
  const std::uint32_t farthest = rank.empty() ? 0 : *std::ranges::max_element(rank);
  for (std::uint32_t& r : rank) r = farthest + 1 - r;
  for (const Switch root : options.roots) rank[root] = 0;
  Routing routing;
  routing.engine = "dnup";
  routing.tables = route_up_down(fabric, graph, rank, options);
  return routing;
}

}  // namespace fatwood
