#pragma once
// Which links lead one hop nearer to a destination switch, and the lightest paths over them: what
// the engines that weigh links (sssp, lash) share. Found once for all that hangs on the switch.

#include <cstdint>
#include <span>
#include <vector>

#include "routing/link_graph.hpp"

namespace fatwood {

struct NearerLinks {
  struct Step {
    std::uint32_t link;
    std::uint32_t to;  // the switch it leads to
  };
  std::vector<std::uint32_t> order;  // switches by distance, the destination not among them
  std::vector<std::uint32_t> first;  // of each entry of order, into steps, and the end
  std::vector<Step> steps;
};

// hops: to the destination, by switch (a row of hop_counts). Cost: O(links).
NearerLinks nearer_links(const LinkGraph& links, std::span<const std::uint16_t> hops);

// Switches by distance, nearest first, equal ones by number; what can't reach the destination is
// left out.
std::vector<std::uint32_t> by_distance(std::span<const std::uint16_t> hops);

// The lightest of the shortest paths to the destination: chosen[s] becomes the link of switch s,
// the lowest on a tie, sum[s] the weight of the path. Cost: O(steps).
inline void lightest_links(const NearerLinks& nearer, std::uint32_t destination,
                           const std::vector<std::uint64_t>& weights,
                           std::vector<std::uint64_t>& sum, std::vector<std::uint32_t>& chosen) {
  sum[destination] = 0;
  for (std::size_t i = 0; i < nearer.order.size(); ++i) {
    const NearerLinks::Step* step = nearer.steps.data() + nearer.first[i];
    const NearerLinks::Step* const end = nearer.steps.data() + nearer.first[i + 1];
    std::uint64_t best = sum[step->to] + weights[step->link];
    std::uint32_t link = step->link;
    for (++step; step != end; ++step) {
      const std::uint64_t other = sum[step->to] + weights[step->link];
      link = other < best ? step->link : link;
      best = other < best ? other : best;
    }
    sum[nearer.order[i]] = best;
    chosen[nearer.order[i]] = link;
  }
}

}  // namespace fatwood
