// SPDX-License-Identifier: BSD-3-Clause
#include "routing/improve/link_rule.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "routing/ordered/ordered_links.hpp"
#include "routing/shortest/updn_plus.hpp"

namespace fatwood {

namespace {

LinkRanks ranks_of_layers(const Fabric& fabric, const LinkGraph& links, LinkOrder order) {
  const LinkLayers layers = find_layers(fabric, order);
  LinkRanks ranks(links.size());
  for (const Link l : ids<Link>(links.size())) {
    ranks[l] = layers[fabric.channel(fabric.node(Switch{links.from[l]}), links.port[l])];
  }
  return ranks;
}

LinkRanks ranks_of_directions(const LinkGraph& links, const Position& position) {
  LinkRanks ranks(links.size());
  for (const Link l : ids<Link>(links.size())) {
    ranks[l] = position[Switch{links.to[l]}] > position[Switch{links.from[l]}] ? 1 : 0;
  }
  return ranks;
}

}  // namespace

LinkRanks rule_of(const Model& model, std::string_view engine, const RouteOptions& options) {
  const Fabric& fabric = model.fabric();
  const LinkGraph& links = model.link_graph();
  if (engine == "updn+") return ranks_of_directions(links, updn_order(model, options));
  if (engine == "bfot") return ranks_of_layers(fabric, links, LinkOrder::kBySweep);
  if (engine == "bfot+") return ranks_of_layers(fabric, links, LinkOrder::kByDegree);
  throw InputError("engine " + std::string(engine) +
                   " has no rule of ranks; updn+, bfot, bfot+ do");
}

Table<Link, bool> links_by_rule(const LinkGraph& links, const LinkRanks& ranks,
                                std::span<const std::uint16_t> hops) {
  constexpr int kAny = 256;  // above all ranks: the destination's own switch
  constexpr std::uint16_t kNoHops = 0xffff;
  std::vector<std::uint32_t> order;
  for (std::uint32_t s = 0; s < links.switches; ++s) {
    if (hops[s] != kNoHops) order.push_back(s);
  }
  std::ranges::stable_sort(order, {}, [&](std::uint32_t s) { return hops[s]; });
  Table<Link, bool> kept(links.size());
  std::vector<int> highest(links.switches, kAny), entered(links.switches, 0);
  for (const std::uint32_t s : order) {
    if (hops[s] == 0) continue;
    highest[s] = -1;
    for (const Link l : links.of(s)) {
      const std::uint32_t to = links.to[l];
      if (hops[to] + 1 != hops[s] || ranks[l] > highest[to]) continue;
      kept[l] = true;
      highest[s] = std::max<int>(highest[s], ranks[l]);
    }
  }
  for (auto s = order.rbegin(); s != order.rend(); ++s) {
    for (const Link l : links.of(*s)) {
      kept[l] = kept[l] && ranks[l] >= entered[*s];
      if (kept[l]) entered[links.to[l]] = std::max<int>(entered[links.to[l]], ranks[l]);
    }
  }
  return kept;
}

}  // namespace fatwood
