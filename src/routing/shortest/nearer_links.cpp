// SPDX-License-Identifier: BSD-3-Clause
#include "routing/shortest/nearer_links.hpp"

#include <algorithm>

#include "core/invariant.hpp"
#include "core/time_limit.hpp"

namespace fatwood {

std::vector<std::uint32_t> by_distance(const LinkGraph& links,
                                       std::span<const std::uint16_t> hops) {
  std::vector<std::uint32_t> start(2);
  for (const std::uint16_t h : hops) {
    if (h == kFar) continue;
    if (h + std::size_t{2} > start.size()) start.resize(h + std::size_t{2});
    ++start[h + std::size_t{1}];
  }
  for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
  std::vector<std::uint32_t> order(start.back());
  for (const std::uint32_t s : links.walk) {
    if (hops[s] != kFar) order[start[hops[s]]++] = s;
  }
  return order;
}

void find_nearer_links(const LinkGraph& links, std::span<const std::uint16_t> hops,
                       NearerLinks& nearer) {
  check_time();  // once for each destination of sssp, lash and nue
  nearer.entries.clear();
  nearer.scattered.clear();
  NearerLinks::Entry before{};
  for (const std::uint32_t s : by_distance(links, hops)) {
    if (hops[s] == 0) continue;  // the destination
    const auto wanted = static_cast<std::uint16_t>(hops[s] - 1);
    const auto leads_nearer = [&](std::uint32_t l) { return hops[links.to[Link{l}]] == wanted; };
    const std::uint32_t end = index(links.first[s + 1]);
    std::uint32_t first = index(links.first[s]);
    while (first < end && !leads_nearer(first)) ++first;
    invariant(first < end, "a switch has a distance to a destination, but no link nearer to it");
    std::uint32_t last = end - 1;
    while (!leads_nearer(last)) --last;
    std::uint32_t count = 0;
    for (std::uint32_t l = first; l <= last; ++l) count += leads_nearer(l) ? 1U : 0U;
    const bool in_a_row = count == last - first + 1;
    const std::uint32_t* const to = links.to.data();
    const bool as_before = in_a_row && before.in_a_row && count == before.count &&
                           std::equal(to + first, to + last + 1, to + before.first);
    if (!in_a_row) {
      const auto start = static_cast<std::uint32_t>(nearer.scattered.size());
      for (std::uint32_t l = first; l <= last; ++l) {
        if (leads_nearer(l)) nearer.scattered.push_back(Link{l});
      }
      first = start;
    }
    before = {s, first, static_cast<std::uint16_t>(count), in_a_row, as_before};
    nearer.entries.push_back(before);
  }
}

}  // namespace fatwood
