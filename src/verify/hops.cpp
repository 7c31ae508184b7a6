// SPDX-License-Identifier: BSD-3-Clause
#include "verify/hops.hpp"

#include <algorithm>
#include <vector>

#include "core/parallel.hpp"
#include "routing/target_tree.hpp"
#include "topology/leaves.hpp"
#include "verify/reachability.hpp"

namespace fatwood {

namespace {

// Switches that are as far from a target, and the terminals on them.
struct AsFar {
  std::uint64_t terminals = 0;
  std::uint64_t switches = 0;
};

PairCounts pairs_of(const AsFar& sources, std::size_t hops, bool to_switch) {
  // The target itself is none of its sources; it is among those of its own switch.
  const std::uint64_t self = hops == 0 && sources.switches > 0 ? 1 : 0;
  if (to_switch) return {0, sources.terminals, 0, sources.switches - self};
  return {sources.terminals - self, 0, sources.switches, 0};
}

HopCounts of_source_routes(const Fabric& fabric, const SourceRoutes& routes) {
  HopCounts counts;
  const Table<Switch, std::uint32_t> on = terminals_on(fabric);
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    for (const Switch d : ids<Switch>(fabric.num_switches())) {
      if (!source_route_arrives(fabric, routes, s, d)) continue;
      const std::size_t hops = routes.at(s, d).size();
      const std::uint64_t self = s == d ? 1 : 0;
      const std::uint64_t to_terminals = std::uint64_t{on[s]} * on[d] - self * on[d];
      counts.add(hops, {to_terminals, on[s], on[d], 1 - self});
    }
  }
  return counts;
}

}  // namespace

std::uint64_t HopHistogram::total() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : pairs) sum += count;
  return sum;
}

double HopHistogram::mean() const {
  double hops = 0;
  for (std::size_t h = 0; h < pairs.size(); ++h) {
    hops += static_cast<double>(h) * static_cast<double>(pairs[h]);
  }
  return pairs.empty() ? 0 : hops / static_cast<double>(total());
}

HopCounts count_hops(const Fabric& fabric, const Routing& routing, int threads) {
  if (!routing.source_routes.empty()) return of_source_routes(fabric, routing.source_routes);
  const HopMap map(fabric);
  const Table<Switch, std::uint32_t> on = terminals_on(fabric);
  const auto workers = static_cast<std::size_t>(thread_count(threads));
  std::vector<TargetTree> trees(workers, TargetTree(fabric, map));
  std::vector<HopCounts> counts(workers);
  std::vector<std::vector<AsFar>> by_hops(workers);
  parallel_for(
      routing.tables.num_targets(), threads,
      [&](std::size_t item, int thread) {
        TargetTree& tree = trees[static_cast<std::size_t>(thread)];
        const auto target = static_cast<Target>(item);
        tree.follow(routing.tables, target);
        std::vector<AsFar>& sources = by_hops[static_cast<std::size_t>(thread)];
        std::ranges::fill(sources, AsFar{});
        for (const std::uint32_t s : tree.reached()) {
          const std::uint32_t hops = tree.hops(s);
          if (hops >= sources.size()) sources.resize(hops + 1U);
          sources[hops].terminals += on[static_cast<Switch>(s)];
          ++sources[hops].switches;
        }
        for (std::size_t hops = 0; hops < sources.size(); ++hops) {
          counts[static_cast<std::size_t>(thread)].add(
              hops, pairs_of(sources[hops], hops, routing.tables.is_switch(target)));
        }
      },
      16);
  for (std::size_t w = 1; w < workers; ++w) counts.front() += counts[w];
  return std::move(counts.front());
}

}  // namespace fatwood
