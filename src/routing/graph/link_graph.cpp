// SPDX-License-Identifier: BSD-3-Clause
#include "routing/graph/link_graph.hpp"

#include <algorithm>
#include <numeric>

namespace fatwood {

LinkGraph link_graph(const Fabric& fabric, const PortGraph& graph) {
  LinkGraph links;
  links.switches = graph.switches;
  links.from.reserve(graph.port.size());
  links.to.reserve(graph.port.size());
  links.port = Table<Link, Port>(graph.port);
  std::uint32_t slots = 0;
  for (std::uint32_t s = 0; s < graph.switches; ++s) {
    links.first.push_back(Link{graph.first_port[graph.first[s]]});
    links.slot.push_back(slots);
    slots += fabric.ports(fabric.node(Switch{s})) + 1;
    for (std::uint32_t g = graph.first[s]; g < graph.first[s + 1]; ++g) {
      for (std::size_t i = 0; i < graph.ports(g).size(); ++i) {
        links.from.push_back(s);
        links.to.push_back(graph.neighbour[g]);
      }
    }
  }
  links.first.push_back(static_cast<Link>(graph.port.size()));
  links.by_port.assign(slots, Link{0});
  for (const Link l : ids<Link>(links.size())) {
    links.by_port[links.slot[links.from[l]] + index(links.port[l])] = l;
  }
  for (const Link l : ids<Link>(links.size())) {
    const Channel c = fabric.channel(fabric.node(Switch{links.from[l]}), links.port[l]);
    links.reverse.push_back(links.link(links.to[l], fabric.port(fabric.peer(c))));
  }
  links.walk.resize(links.switches);
  std::iota(links.walk.begin(), links.walk.end(), 0U);
  std::ranges::stable_sort(links.walk, {}, [&](std::uint32_t s) {
    return links.of(s).size() > 0 ? links.to[links.first[s]] : 0;
  });
  return links;
}

}  // namespace fatwood
