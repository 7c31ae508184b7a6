#include "routing/statistics.hpp"

#include <algorithm>

#include "core/parallel.hpp"

namespace fatwood {

namespace {

constexpr std::uint32_t kUnknown = 0xffffffffU;
constexpr std::uint32_t kMissing = 0xfffffffeU;
constexpr std::uint32_t kOpen = 0xfffffffdU;  // on the path being followed

// Hops from each switch to the target; kMissing where the table leads nowhere or round.
void follow(const Fabric& fabric, const ForwardingTables& tables, Target target,
            std::vector<std::uint32_t>& hops, std::vector<std::uint32_t>& path) {
  const Switch last =
      tables.is_switch(target) ? tables.as_switch(target) : fabric.leaf(tables.terminal(target));
  std::fill(hops.begin(), hops.end(), kUnknown);
  if (last == kNone<Switch>) {
    std::fill(hops.begin(), hops.end(), kMissing);
    return;
  }
  const auto row = tables.row(target);
  hops[index(last)] = row[index(last)] == kNoRoute ? kMissing : 0;
  for (std::uint32_t source = 0; source < hops.size(); ++source) {
    path.clear();
    std::uint32_t at = source;
    while (hops[at] == kUnknown) {
      hops[at] = kOpen;
      path.push_back(at);
      const Node node = fabric.node(Switch{at});
      const std::uint8_t port = row[at];
      if (port == 0 || port > fabric.ports(node)) break;
      const Channel c = fabric.channel(node, port);
      if (!fabric.connected(c) || !fabric.is_switch(fabric.neighbour(c))) break;
      at = index(fabric.as_switch(fabric.neighbour(c)));
    }
    std::uint32_t left = hops[at] == kOpen ? kMissing : hops[at];
    for (; !path.empty(); path.pop_back()) {
      if (left != kMissing) ++left;
      hops[path.back()] = left;
    }
  }
}

void add(RouteStatistics& sum, const RouteStatistics& part) {
  sum.routes += part.routes;
  sum.missing += part.missing;
  sum.longest = std::max(sum.longest, part.longest);
  sum.terminal_pairs += part.terminal_pairs;
  sum.terminal_hops += part.terminal_hops;
  for (std::size_t i = 0; i < sum.lane_routes.size(); ++i) {
    sum.lane_routes[i] += part.lane_routes[i];
  }
}

// Switch by switch as sources, and each (switch, target) as the pair of switches it is.
RouteStatistics source_route_statistics(const Fabric& fabric, const SourceRoutes& routes,
                                        const std::vector<std::uint32_t>& terminals_on) {
  RouteStatistics sum;
  sum.lane_routes.assign(1, 0);
  for (const Switch source : ids<Switch>(fabric.num_switches())) {
    for (const Switch last : ids<Switch>(fabric.num_switches())) {
      const auto path = routes.at(source, last);
      const bool here = source == last;
      // As targets: the terminals of the last switch, and that switch unless it is the source.
      const std::uint64_t targets = std::uint64_t{terminals_on[index(last)]} + (here ? 0 : 1);
      if (path.empty() && !here) {
        sum.missing += targets;
        continue;
      }
      sum.routes += targets;
      sum.lane_routes[0] += targets;
      sum.longest = std::max(sum.longest, static_cast<unsigned>(path.size()));
      const std::uint64_t pairs =
          here ? 0 : std::uint64_t{terminals_on[index(source)]} * terminals_on[index(last)];
      sum.terminal_pairs += pairs;
      sum.terminal_hops += pairs * path.size();
    }
  }
  return sum;
}

}  // namespace

RouteStatistics route_statistics(const Fabric& fabric, const Routing& routing, int threads) {
  const ForwardingTables& tables = routing.tables;
  std::vector<std::uint32_t> terminals_on(fabric.num_switches());
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) != kNone<Switch>) ++terminals_on[index(fabric.leaf(t))];
  }
  if (!routing.source_routes.empty()) {
    return source_route_statistics(fabric, routing.source_routes, terminals_on);
  }
  RouteStatistics empty;
  empty.lane_routes.assign(routing.lanes.count, 0);
  std::vector<RouteStatistics> parts(static_cast<std::size_t>(thread_count(threads)), empty);
  constexpr std::size_t kChunk = 256;
  const std::size_t chunks = (tables.num_targets() + kChunk - 1) / kChunk;
  parallel_for(chunks, threads, [&](std::size_t chunk, int thread) {
    RouteStatistics& part = parts[static_cast<std::size_t>(thread)];
    std::vector<std::uint32_t> hops(fabric.num_switches());
    std::vector<std::uint32_t> path;
    const std::size_t end = std::min(tables.num_targets(), (chunk + 1) * kChunk);
    for (std::size_t i = chunk * kChunk; i < end; ++i) {
      const auto target = static_cast<Target>(i);
      follow(fabric, tables, target, hops, path);
      const bool to_terminal = !tables.is_switch(target);
      const bool first =
          to_terminal && index(target) == index(tables.target(tables.terminal(target)));
      for (std::uint32_t s = 0; s < hops.size(); ++s) {
        if (!to_terminal && index(tables.as_switch(target)) == s) continue;
        if (hops[s] == kMissing) {
          ++part.missing;
          continue;
        }
        ++part.routes;
        part.longest = std::max(part.longest, hops[s]);
        ++part.lane_routes[routing.lanes.at(target, Switch{s})];
        if (!first || hops[s] == 0) continue;
        part.terminal_pairs += terminals_on[s];
        part.terminal_hops += std::uint64_t{terminals_on[s]} * hops[s];
      }
    }
  });
  RouteStatistics sum = empty;
  for (const RouteStatistics& part : parts) add(sum, part);
  return sum;
}

}  // namespace fatwood
