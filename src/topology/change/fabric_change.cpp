// SPDX-License-Identifier: BSD-3-Clause
#include "topology/change/fabric_change.hpp"

namespace fatwood {

FabricChange::FabricChange(const Fabric& fabric)
    : removed(fabric.num_nodes(), 0),
      ports(fabric.num_nodes()),
      cut(fabric.num_channels(), 0),
      rate(fabric.num_channels()) {
  for (const Node node : ids<Node>(fabric.num_nodes())) ports[node] = fabric.ports(node);
  for (const Channel c : ids<Channel>(fabric.num_channels())) rate[c] = fabric.rate(c);
}

Table<Node, FabricBuilder::Handle> copy_fabric(FabricBuilder& builder, const Fabric& fabric,
                                               const FabricChange& change) {
  Table<Node, FabricBuilder::Handle> handle(fabric.num_nodes());
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    if (change.removed[node] != 0) continue;
    handle[node] = copy_node(builder, fabric, node, fabric.guid(node), change.ports[node]);
  }
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    const Channel d = fabric.peer(c);
    if (!fabric.connected(c) || d < c || change.cut[c] != 0) continue;
    const Node a = fabric.owner(c);
    const Node b = fabric.owner(d);
    if (change.removed[a] != 0 || change.removed[b] != 0) continue;
    builder.connect(handle[a], fabric.port(c), handle[b], fabric.port(d), change.rate[c]);
  }
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const Node node = fabric.adapter_node(t);
    if (change.removed[node] != 0) continue;
    builder.set_address(handle[node], fabric.port(fabric.terminal_channel(t)), fabric.address(t));
  }
  return handle;
}

Fabric changed(const Fabric& fabric, const FabricChange& change) {
  FabricBuilder builder;
  copy_fabric(builder, fabric, change);
  return builder.build();
}

}  // namespace fatwood
