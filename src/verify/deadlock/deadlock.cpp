// SPDX-License-Identifier: BSD-3-Clause
#include "verify/deadlock/deadlock.hpp"

#include <algorithm>

#include "verify/deadlock/changing_lanes.hpp"
#include "verify/deadlock/witness.hpp"

namespace fatwood {

bool Deadlock::free() const { return cyclic_lane() == kNoLane; }

std::size_t Deadlock::cyclic_lane() const {
  std::size_t best = kNoLane;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    if (lanes[lane].cycle.empty()) continue;
    if (best == kNoLane || lanes[lane].cycle.size() < lanes[best].cycle.size()) best = lane;
  }
  return best;
}

std::vector<std::uint32_t> topological_order(const DependencyGraph& graph) {
  std::vector<std::uint32_t> waiting(graph.size(), 0);  // predecessors not yet in the order
  for (std::uint32_t v = 0; v < graph.size(); ++v) {
    graph.for_each_successor(v, [&](std::uint32_t next) { ++waiting[next]; });
  }
  std::vector<std::uint32_t> order;
  order.reserve(graph.size());
  for (std::uint32_t v = 0; v < graph.size(); ++v) {
    if (waiting[v] == 0) order.push_back(v);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    graph.for_each_successor(order[i], [&](std::uint32_t next) {
      if (--waiting[next] == 0) order.push_back(next);
    });
  }
  return order;
}

std::vector<Channel> order_of_channels(const Fabric& fabric, const DependencyGraph& graph,
                                       const std::vector<std::uint32_t>& between) {
  std::vector<Channel> order;
  std::vector<Channel> last;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (fabric.connected(c) && !fabric.is_switch(fabric.owner(c))) order.push_back(c);
  }
  for (const std::uint32_t vertex : between) {
    const Channel c = graph.channel(vertex);
    if (!fabric.connected(c)) continue;
    (fabric.is_switch(fabric.neighbour(c)) ? order : last).push_back(c);
  }
  order.insert(order.end(), last.begin(), last.end());
  return order;
}

Deadlock find_deadlock(const Fabric& fabric, const Routing& routing, Sources sources, int threads) {
  if (!routing.sl2vl.empty()) return find_changing_deadlock(fabric, routing, sources, threads);
  Deadlock result;
  const std::vector<DependencyGraph> lanes = find_dependencies(fabric, routing, sources, threads);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const DependencyGraph& graph = lanes[lane];
    LaneVerdict verdict;
    verdict.dependencies = graph.edges();
    const std::vector<std::uint32_t> order = topological_order(graph);
    if (order.size() == graph.size()) {
      verdict.order = order_of_channels(fabric, graph, order);
    } else {
      std::vector<Channel> cycle;
      for (const std::uint32_t v : shortest_cycle(graph)) cycle.push_back(graph.channel(v));
      verdict.cycle = find_witnesses(fabric, routing, sources, static_cast<unsigned>(lane), cycle);
    }
    result.lanes.push_back(std::move(verdict));
  }
  return result;
}

DeadlockTiers find_tiers(const Fabric& fabric, const Routing& routing, Sources sources,
                         const Deadlock& found, int threads) {
  DeadlockTiers tiers;
  bool free = found.free();
  for (std::size_t tier = static_cast<std::size_t>(sources) + 1; tier-- > 0;) {
    const auto these = static_cast<Sources>(tier);
    free = free || (these != sources && find_deadlock(fabric, routing, these, threads).free());
    tiers[tier] = free;
  }
  return tiers;
}

}  // namespace fatwood
