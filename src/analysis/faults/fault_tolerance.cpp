// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/faults/fault_tolerance.hpp"

#include <algorithm>
#include <vector>

#include "core/parallel.hpp"

namespace fatwood {

namespace {

// The usable links of each switch towards one address: its entry first, then the ready
// alternatives.
struct ReadyLinks {
  std::uint32_t address = 0;
  std::vector<std::uint32_t> first;  // by switch, and the end
  std::vector<Link> links;
  std::uint64_t ready = 0;

  std::span<const Link> of(std::uint32_t s) const {
    return {links.data() + first[s], links.data() + first[s + 1]};
  }
};

ReadyLinks find_ready(MovableRoutes& routes, std::uint32_t address) {
  const LinkGraph& graph = routes.links();
  std::vector<std::uint32_t> order;
  std::uint64_t lanes = 0;  // of any packet to the address
  for (std::uint32_t s = 0; s < graph.switches; ++s) {
    const std::uint16_t hops = routes.hops(address, s);
    if (hops == MovableRoutes::kNoHops) continue;
    if (hops == 0) lanes = routes.lanes_through(address, s);
    order.push_back(s);
  }
  std::ranges::stable_sort(order, {}, [&](std::uint32_t s) { return routes.hops(address, s); });
  std::vector<std::vector<Link>> usable(graph.switches);
  ReadyLinks result{.address = address, .first = {0}, .links = {}, .ready = 0};
  std::vector<MovableRoutes::Dependency> dependencies;
  for (const std::uint32_t s : order) {
    if (routes.hops(address, s) == 0) continue;
    usable[s].push_back(routes.next(address, s));
    const std::vector<Link> arrivals = routes.arrivals(address, s);
    for (const Link link : routes.alternatives(address, s)) {
      dependencies.clear();
      for (const Link in : arrivals) dependencies.push_back({in, link, lanes});
      for (const Link out : usable[graph.to[link]]) dependencies.push_back({link, out, lanes});
      if (routes.guarded() && !routes.add_dependencies(dependencies)) continue;
      usable[s].push_back(link);
      ++result.ready;
    }
  }
  for (const auto& of_switch : usable) {
    result.links.insert(result.links.end(), of_switch.begin(), of_switch.end());
    result.first.push_back(static_cast<std::uint32_t>(result.links.size()));
  }
  return result;
}

struct PairSums {
  double avoided = 0;
  std::uint64_t pairs = 0, covered = 0, links = 0;
};

// Walks from one switch over usable links, layer by layer. Tracks the fewest links that a path so
// far shares with the route itself.
class Walker {
 public:
  Walker(const LinkGraph& graph, const ReadyLinks& usable)
      : graph_(graph), usable_(usable), shared_(graph.switches, 0), round_(graph.switches, 0) {}

  void add(std::uint32_t source, std::uint32_t hops, std::uint64_t weight, PairSums& sums) {
    std::vector<std::uint32_t> now{source};
    shared_[source] = 0;
    std::uint32_t on_route = source;
    std::uint64_t covered = 0;
    for (std::uint32_t layer = 0; layer < hops; ++layer) {
      const Link used = usable_.of(on_route)[0];
      std::vector<std::uint32_t> next;
      std::size_t width = 0;
      ++current_;
      for (const std::uint32_t s : now) {
        for (const Link link : usable_.of(s)) {
          ++width;
          const std::uint32_t to = graph_.to[link];
          const std::uint32_t shared = shared_[s] + (link == used ? 1U : 0U);
          if (round_[to] != current_) {
            round_[to] = current_;
            shared_[to] = shared;
            next.push_back(to);
          } else {
            shared_[to] = std::min(shared_[to], shared);
          }
        }
      }
      if (width > 1) ++covered;
      on_route = graph_.to[used];
      now = std::move(next);
    }
    sums.avoided += static_cast<double>(weight) * (hops - shared_[on_route]) / hops;
    sums.pairs += weight;
    sums.covered += weight * covered;
    sums.links += weight * hops;
  }

 private:
  const LinkGraph& graph_;
  const ReadyLinks& usable_;
  std::vector<std::uint32_t> shared_;
  std::vector<std::uint32_t> round_;
  std::uint32_t current_ = 0;
};

}  // namespace

FaultTolerance fault_tolerance(MovableRoutes&& routes, const ToleranceOptions& options) {
  const std::uint32_t all = routes.num_addresses();
  const std::uint32_t looked_at = std::min(all, std::max(1U, options.most_addresses));
  std::vector<ReadyLinks> usable;
  for (std::uint32_t i = 0; i < looked_at; ++i) {
    const auto address = static_cast<std::uint32_t>(std::uint64_t{i} * all / looked_at);
    usable.push_back(find_ready(routes, address));
  }
  std::vector<PairSums> sums(looked_at);
  parallel_for(looked_at, options.threads, [&](std::size_t i, int) {
    Walker walker(routes.links(), usable[i]);
    for (std::uint32_t s = 0; s < routes.links().switches; ++s) {
      const std::uint16_t hops = routes.hops(usable[i].address, s);
      if (hops == 0 || hops == MovableRoutes::kNoHops || routes.terminals_on(s) == 0) continue;
      walker.add(s, hops, routes.terminals_on(s), sums[i]);
    }
  });
  FaultTolerance result;
  result.addresses = looked_at;
  PairSums total;
  for (std::uint32_t i = 0; i < looked_at; ++i) {
    result.ready += usable[i].ready;
    total.avoided += sums[i].avoided;
    total.pairs += sums[i].pairs;
    total.covered += sums[i].covered;
    total.links += sums[i].links;
  }
  result.pairs = total.pairs;
  if (total.pairs == 0) return result;
  result.avoided = total.avoided / static_cast<double>(total.pairs);
  result.covered = static_cast<double>(total.covered) / static_cast<double>(total.links);
  return result;
}

}  // namespace fatwood
