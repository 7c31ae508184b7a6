// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The links that lead one hop nearer to a destination switch, and the lightest paths over them.
// Shared by engines that weight links (sssp, dfsssp, lash, nue). Computed once for all destinations
// of a switch.

#include <algorithm>
#include <array>
#include <cstdint>
#include <ranges>
#include <span>
#include <vector>

#include "topology/graph/link_graph.hpp"

namespace fatwood {

// More than the weight of any path: one reused link outweighs everything else.
constexpr std::uint64_t kReused = std::uint64_t{1} << 52;

struct NearerLinks {
  struct Entry {
    std::uint32_t at;  // the switch
    // The first alternative: a link number if in_a_row, otherwise an index into `scattered`.
    std::uint32_t first;
    std::uint16_t count;  // of alternatives, at least 1
    bool in_a_row;        // the links have consecutive numbers
    bool as_before;       // they lead to the same switches as those of the previous entry
  };
  std::vector<Entry> entries;  // by distance, without the destination
  std::vector<Link> scattered;
};

// hops: to the destination, by switch (a row of hop_counts). Overwrites `nearer` and reuses its
// memory. Cost: O(links).
void find_nearer_links(const LinkGraph& links, std::span<const std::uint16_t> hops,
                       NearerLinks& nearer);

// Switches by distance, nearest first; equal ones in the order of LinkGraph::walk. Switches that
// cannot reach the destination are left out.
std::vector<std::uint32_t> by_distance(const LinkGraph& links, std::span<const std::uint16_t> hops);

// Weights are multiples of this. The lower bits number the alternatives of a switch, at most one
// per port.
inline constexpr std::uint64_t kWeightUnit = 256;

// The lightest of the shortest paths to the destination. Calls take(s, link) for each switch in
// order of distance, with the lowest link on a tie. sum[s] becomes the weight of its path. weights:
// multiples of kWeightUnit. Cost: O(alternatives); this is the hot loop of sssp.
template <class Take>
void lightest_links(const LinkGraph& links, const NearerLinks& nearer, std::uint32_t destination,
                    const Table<Link, std::uint64_t>& weights, std::vector<std::uint64_t>& sum,
                    const Take& take) {
  sum[destination] = 0;
  // The path weight after each alternative, plus its number. Reused for the next switch if it has
  // the same neighbours, as leaves of one pod do.
  std::array<std::uint64_t, kWeightUnit> beyond;
  for (const NearerLinks::Entry& entry : nearer.entries) {
    const std::size_t count = entry.count;
    if (entry.in_a_row) {
      const std::uint32_t* const to = links.to.data() + entry.first;
      const std::uint64_t* const weight = weights.data() + entry.first;
      if (!entry.as_before) {
        for (std::size_t a = 0; a < count; ++a) beyond[a] = sum[to[a]] + a;
      }
      // Two independent minima, so that the processor can overlap them.
      std::uint64_t best = beyond[0] + weight[0];
      std::uint64_t other = best;
      std::size_t a = 1;
      for (; a + 1 < count; a += 2) {
        best = std::min(best, beyond[a] + weight[a]);
        other = std::min(other, beyond[a + 1] + weight[a + 1]);
      }
      if (a < count) best = std::min(best, beyond[a] + weight[a]);
      best = std::min(best, other);
      sum[entry.at] = best & ~(kWeightUnit - 1);
      take(entry.at, static_cast<Link>(entry.first + (best & (kWeightUnit - 1))));
    } else {
      const Link* const link = nearer.scattered.data() + entry.first;
      std::uint64_t best = ~std::uint64_t{0};
      for (std::size_t a = 0; a < count; ++a) {
        best = std::min(best, sum[links.to[link[a]]] + weights[link[a]] + a);
      }
      sum[entry.at] = best & ~(kWeightUnit - 1);
      take(entry.at, link[best & (kWeightUnit - 1)]);
    }
  }
}

// The lightest tree to one destination at a time, and working memory.
class LightestTree {
 public:
  using Amounts = std::vector<std::uint64_t>;  // by switch

  explicit LightestTree(const LinkGraph& links)
      : links_(links), sum_(links.switches), load_(links.switches), chosen_(links.switches) {}

  // Calls take(s, link) with the link that it chooses for each switch.
  template <class Take>
  void choose(const NearerLinks& nearer, std::uint32_t destination,
              const Table<Link, std::uint64_t>& weights, const Take& take) {
    lightest_links(links_, nearer, destination, weights, sum_, [&](std::uint32_t s, Link link) {
      chosen_[s] = link;
      take(s, link);
    });
  }

  // Adds to each link what its switch and those beyond it send.
  void add_load(const NearerLinks& nearer, const Amounts& sources,
                Table<Link, std::uint64_t>& loads) {
    load_ = sources;
    for (const NearerLinks::Entry& entry : std::views::reverse(nearer.entries)) {
      const std::uint64_t load = load_[entry.at];
      const Link link = chosen_[entry.at];
      loads[link] += load;
      load_[links_.to[link]] += load;
    }
  }

  Link chosen(std::uint32_t s) const { return chosen_[s]; }

 private:
  const LinkGraph& links_;
  Amounts sum_;
  Amounts load_;
  std::vector<Link> chosen_;  // by switch
};

}  // namespace fatwood
