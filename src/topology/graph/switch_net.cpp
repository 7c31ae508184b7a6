// SPDX-License-Identifier: BSD-3-Clause
#include "topology/graph/switch_net.hpp"

#include <algorithm>

namespace fatwood {

SwitchNet switch_net(const Fabric& fabric) {
  SwitchNet net;
  net.cables.resize(fabric.num_switches());
  net.first.reserve(fabric.num_switches() + 1);
  net.first.push_back(0);
  std::vector<Switch> seen;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const Node node = fabric.node(s);
    seen.clear();
    for (const Channel c : fabric.channels(node)) {
      if (!fabric.connected(c)) continue;
      const Node other = fabric.neighbour(c);
      if (fabric.is_switch(other) && other != node) seen.push_back(fabric.as_switch(other));
    }
    std::sort(seen.begin(), seen.end());
    for (std::size_t i = 0; i < seen.size();) {
      std::size_t end = i;
      while (end < seen.size() && seen[end] == seen[i]) ++end;
      net.edge.push_back({seen[i], static_cast<std::uint32_t>(end - i)});
      i = end;
    }
    net.cables[s] = static_cast<std::uint32_t>(seen.size());
    net.first.push_back(static_cast<std::uint32_t>(net.edge.size()));
  }
  return net;
}

std::vector<Channel> cables_from(const Fabric& fabric, Switch from, Switch to) {
  std::vector<Channel> found;
  const Node node = fabric.node(from);
  for (const Channel c : fabric.channels(node)) {
    if (fabric.connected(c) && fabric.neighbour(c) == fabric.node(to)) found.push_back(c);
  }
  return found;
}

Components connected_components(const SwitchNet& net) {
  Components components{Table<Switch, std::uint32_t>(net.size(), index(kNone<Switch>)), 0};
  std::vector<Switch> reached;
  for (const Switch start : ids<Switch>(net.size())) {
    if (components.component[start] != index(kNone<Switch>)) continue;
    components.component[start] = components.count;
    reached.push_back(start);
    while (!reached.empty()) {
      const Switch s = reached.back();
      reached.pop_back();
      for (const auto& edge : net.edges(s)) {
        if (components.component[edge.to] != index(kNone<Switch>)) continue;
        components.component[edge.to] = components.count;
        reached.push_back(edge.to);
      }
    }
    ++components.count;
  }
  return components;
}

}  // namespace fatwood
