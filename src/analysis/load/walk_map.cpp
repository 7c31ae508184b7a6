// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/load/walk_map.hpp"

#include <fmt/format.h>

namespace fatwood {

std::shared_ptr<const WalkMap> walk_map(const Model& model) {
  const Fabric& fabric = model.fabric();
  auto map = std::make_shared<WalkMap>();
  std::uint32_t first_slot = 0;  // of switch 0: slots are counted from there
  if (fabric.num_switches() > 0) {
    first_slot = index(fabric.channel(fabric.node(Switch{0}), kOwnPort));
  }
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const Node node = fabric.node(s);
    map->first.push_back(index(fabric.channel(node, kOwnPort)) - first_slot);
    for (const Port port : ids<Port>(fabric.ports(node) + 1)) {
      const Channel c = fabric.channel(node, port);
      map->next.push_back(!fabric.connected(c) ? WalkMap::kNowhere
                          : fabric.is_switch(fabric.neighbour(c))
                              ? index(fabric.next_switch(c))
                              : WalkMap::kTerminal + index(fabric.terminal_at(fabric.peer(c))));
    }
  }
  for (const Adapter adapter : ids<Adapter>(model.adapters().size())) {
    map->terminal.push_back(model.adapters().terminals(adapter).front());
    map->leaf.push_back(index(fabric.leaf(map->terminal.back())));
  }
  // Ports above a switch's radix lead here.
  map->next.resize(map->next.size() + 256, WalkMap::kNowhere);
  return map;
}

std::string walk_goal(const Fabric& fabric, const ForwardingTables& tables,
                      std::uint32_t destination) {
  const Terminal d = tables.terminal(Destination{destination});
  return fmt::format("on the way to {}", port_name(fabric, fabric.terminal_channel(d)));
}

}  // namespace fatwood
