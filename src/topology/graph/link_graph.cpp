// SPDX-License-Identifier: BSD-3-Clause
#include "topology/graph/link_graph.hpp"

#include <algorithm>
#include <numeric>

namespace fatwood {

LinkGraph link_graph(const Fabric& fabric, const PortGraph& graph) {
  std::vector<Channel> channels;
  channels.reserve(graph.num_ports());
  for (const Switch s : ids<Switch>(graph.size())) {
    for (const Trunk g : graph.trunks(s)) {
      for (const Port port : graph.ports(g)) {
        channels.push_back(fabric.channel(fabric.node(s), port));
      }
    }
  }
  return link_graph(fabric, channels);
}

LinkGraph link_graph(const Fabric& fabric, std::span<const Channel> channels) {
  LinkGraph links;
  links.switches = fabric.num_switches();
  std::uint32_t slots = 0;
  std::size_t next = 0;
  for (std::uint32_t s = 0; s < links.switches; ++s) {
    const Node node = fabric.node(Switch{s});
    links.first.push_back(static_cast<Link>(next));
    links.slot.push_back(slots);
    slots += fabric.ports(node) + 1;
    for (; next < channels.size() && fabric.owner(channels[next]) == node; ++next) {
      links.from.push_back(s);
      links.to.push_back(index(fabric.next_switch(channels[next])));
      links.port.push_back(fabric.port(channels[next]));
    }
  }
  links.first.push_back(static_cast<Link>(next));
  links.by_port.assign(slots, Link{0});
  for (const Link l : ids<Link>(links.size())) {
    links.by_port[links.slot[links.from[l]] + index(links.port[l])] = l;
  }
  for (const Link l : ids<Link>(links.size())) {
    const Port back = fabric.port(fabric.peer(channels[index(l)]));
    links.reverse.push_back(links.link(links.to[l], back));
  }
  links.walk.resize(links.switches);
  std::iota(links.walk.begin(), links.walk.end(), 0U);
  std::ranges::stable_sort(links.walk, {}, [&](std::uint32_t s) {
    return links.of(s).size() > 0 ? links.to[links.first[s]] : 0;
  });
  return links;
}

}  // namespace fatwood
