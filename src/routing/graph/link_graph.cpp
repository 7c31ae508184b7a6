// SPDX-License-Identifier: BSD-3-Clause
#include "routing/graph/link_graph.hpp"

#include <algorithm>
#include <numeric>

namespace fatwood {

LinkGraph link_graph(const Fabric& fabric, const PortGraph& graph) {
  LinkGraph links;
  links.switches = graph.switches;
  links.port = graph.port;
  links.from.reserve(graph.port.size());
  links.to.reserve(graph.port.size());
  std::uint32_t slots = 0;
  for (std::uint32_t s = 0; s < graph.switches; ++s) {
    links.first.push_back(graph.first_port[graph.first[s]]);
    links.slot.push_back(slots);
    slots += fabric.ports(fabric.node(Switch{s})) + 1;
    for (std::uint32_t g = graph.first[s]; g < graph.first[s + 1]; ++g) {
      links.from.insert(links.from.end(), graph.ports(g).size(), s);
      links.to.insert(links.to.end(), graph.ports(g).size(), graph.neighbour[g]);
    }
  }
  links.first.push_back(static_cast<std::uint32_t>(graph.port.size()));
  links.by_port.assign(slots, 0);
  for (std::uint32_t l = 0; l < links.links(); ++l) {
    links.by_port[links.slot[links.from[l]] + index(links.port[l])] = l;
  }
  links.reverse.resize(links.links());
  for (std::uint32_t l = 0; l < links.links(); ++l) {
    const Channel c = fabric.channel(fabric.node(Switch{links.from[l]}), links.port[l]);
    links.reverse[l] = links.link(links.to[l], fabric.port(fabric.peer(c)));
  }
  links.walk.resize(links.switches);
  std::iota(links.walk.begin(), links.walk.end(), 0U);
  std::ranges::stable_sort(links.walk, {}, [&](std::uint32_t s) {
    return links.first[s] < links.first[s + 1] ? links.to[links.first[s]] : 0;
  });
  return links;
}

}  // namespace fatwood
