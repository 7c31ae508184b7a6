// SPDX-License-Identifier: BSD-3-Clause
#include "verify/reach/minimality.hpp"

#include <vector>

#include "routing/tables/destination_tree.hpp"
#include "topology/graph/port_graph.hpp"
#include "verify/reach/reach_and_lengths.hpp"

namespace fatwood {

Minimality find_minimality(const Fabric& fabric, const Routing& routing, int threads) {
  const SourceRoutes& routes = routing.source_routes;
  if (routes.empty()) return find_reach_and_lengths(fabric, routing, threads).minimality;
  const std::vector<std::uint16_t> least = hop_counts(port_graph(fabric), threads);
  const Table<Switch, std::uint32_t> on = terminals_on(fabric);
  Minimality all;
  for (const Switch home : ids<Switch>(fabric.num_switches())) {
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      if (s == home || !source_route_arrives(fabric, routes, s, home)) continue;
      all.add(static_cast<std::uint32_t>(routes.at(s, home).size()),
              least[std::size_t{index(home)} * fabric.num_switches() + index(s)],
              {std::uint64_t{on[s]} * on[home], on[s], on[home], 1});
    }
  }
  return all;
}

}  // namespace fatwood
