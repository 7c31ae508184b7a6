#include "routing/nearer_links.hpp"

namespace fatwood {

std::vector<std::uint32_t> by_distance(std::span<const std::uint16_t> hops) {
  std::vector<std::uint32_t> start(2);
  for (const std::uint16_t h : hops) {
    if (h == kFar) continue;
    if (h + std::size_t{2} > start.size()) start.resize(h + std::size_t{2});
    ++start[h + std::size_t{1}];
  }
  for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
  std::vector<std::uint32_t> order(start.back());
  for (std::uint32_t s = 0; s < hops.size(); ++s) {
    if (hops[s] != kFar) order[start[hops[s]]++] = s;
  }
  return order;
}

NearerLinks nearer_links(const LinkGraph& links, std::span<const std::uint16_t> hops) {
  NearerLinks nearer;
  nearer.order = by_distance(hops);
  nearer.order.erase(nearer.order.begin());  // the destination
  nearer.first.reserve(nearer.order.size() + 1);
  nearer.first.push_back(0);
  // Room for all links, and each written whether it leads nearer or not: no branch to guess wrong.
  nearer.steps.resize(links.links() + 1);
  std::uint32_t end = 0;
  for (const std::uint32_t s : nearer.order) {
    const auto wanted = static_cast<std::uint16_t>(hops[s] - 1);
    for (std::uint32_t l = links.first[s]; l < links.first[s + 1]; ++l) {
      nearer.steps[end] = {l, links.to[l]};
      end += hops[links.to[l]] == wanted ? 1U : 0U;
    }
    nearer.first.push_back(end);
  }
  return nearer;
}

}  // namespace fatwood
