#pragma once
// Which links lead one hop nearer to a destination switch, and the lightest paths over them: what
// the engines that weigh links (sssp, lash) share. Found once for all that hangs on the switch.

#include <algorithm>
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

// Weights are multiples of this: the bits below tell alternatives apart, of which a switch has no
// more than it has ports.
inline constexpr std::uint64_t kWeightUnit = 256;

// The lightest of the shortest paths to the destination: calls take(s, link) for each switch in
// order of distance, the lowest link on a tie; sum[s] becomes the weight of its path. weights: by
// link, multiples of kWeightUnit. Cost: O(steps): the loop that sssp lives in.
template <class Take>
void lightest_links(const NearerLinks& nearer, std::uint32_t destination,
                    const std::vector<std::uint64_t>& weights, std::vector<std::uint64_t>& sum,
                    const Take& take) {
  sum[destination] = 0;
  for (std::size_t i = 0; i < nearer.order.size(); ++i) {
    const NearerLinks::Step* const step = nearer.steps.data() + nearer.first[i];
    const std::uint32_t count = nearer.first[i + 1] - nearer.first[i];
    const auto key = [&](std::uint32_t a) { return sum[step[a].to] + weights[step[a].link] + a; };
    // Two chains of minima: one would wait for itself.
    std::uint64_t best = key(0);
    std::uint64_t other = best;
    std::uint32_t a = 1;
    for (; a + 1 < count; a += 2) {
      best = std::min(best, key(a));
      other = std::min(other, key(a + 1));
    }
    if (a < count) best = std::min(best, key(a));
    best = std::min(best, other);
    sum[nearer.order[i]] = best & ~(kWeightUnit - 1);
    take(nearer.order[i], step[best & (kWeightUnit - 1)].link);
  }
}

}  // namespace fatwood
