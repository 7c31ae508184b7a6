// SPDX-License-Identifier: BSD-3-Clause
#include "support/shuffle.hpp"

#include <vector>

#include "core/random.hpp"
#include "topology/builder.hpp"

namespace fatwood::test {

Fabric shuffled(const Fabric& fabric, std::uint64_t seed) {
  FabricBuilder builder;
  Table<Node, FabricBuilder::Handle> handle(fabric.num_nodes());
  const std::vector<std::uint32_t> order =
      Random(seed).permutation(static_cast<std::uint32_t>(fabric.num_nodes()));
  for (const std::uint32_t n : order) {
    const auto node = static_cast<Node>(n);
    handle[node] = copy_node(builder, fabric, node, fabric.is_switch(node) ? 0 : fabric.guid(node),
                             fabric.ports(node));
  }
  Table<Channel, Port> port(fabric.num_channels());
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    const std::vector<std::uint32_t> place =
        Random(seed, 1, index(node)).permutation(fabric.ports(node));
    for (const Channel c : fabric.channels(node)) {
      port[c] = static_cast<Port>(place[index(fabric.port(c)) - 1] + 1);
    }
  }
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    const Channel d = fabric.peer(c);
    if (!fabric.connected(c) || d < c) continue;
    builder.connect(handle[fabric.owner(c)], port[c], handle[fabric.owner(d)], port[d],
                    fabric.rate(c));
  }
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    builder.set_address(handle[fabric.adapter_node(t)], port[fabric.terminal_channel(t)],
                        fabric.address(t));
  }
  return builder.build();
}

}  // namespace fatwood::test
