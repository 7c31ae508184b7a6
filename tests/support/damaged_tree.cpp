// SPDX-License-Identifier: BSD-3-Clause
#include "support/damaged_tree.hpp"

#include <algorithm>
#include <charconv>

#include "core/random.hpp"
#include "topology/builder.hpp"

namespace fatwood::test {

DamagedTree damaged_tree(const Fabric& whole, std::uint64_t seed, double share, double host_share) {
  Random random(seed);
  FabricBuilder builder;
  const auto nodes = static_cast<std::uint32_t>(whole.num_nodes());
  std::vector<FabricBuilder::Handle> handle(nodes);
  std::vector<std::vector<std::uint32_t>> port(nodes);
  for (const std::uint32_t i : random.permutation(nodes)) {
    const Node node{i};
    handle[i] = whole.is_switch(node) ? builder.add_switch(whole.id(node), whole.ports(node))
                                      : builder.add_adapter(whole.id(node), whole.ports(node));
    port[i] = random.permutation(whole.ports(node));
  }
  DamagedTree result;
  for (const Channel c : ids<Channel>(whole.num_channels())) {
    if (!whole.connected(c) || index(c) > index(whole.peer(c))) continue;
    const Node a = whole.owner(c);
    const Node b = whole.neighbour(c);
    const bool host = !whole.is_switch(a) || !whole.is_switch(b);
    if (random.uniform() < (host ? host_share : share)) {
      result.cut.emplace_back(whole.id(a), whole.id(b));
      continue;
    }
    builder.connect(
        handle[index(a)], static_cast<Port>(port[index(a)][index(whole.port(c)) - 1] + 1),
        handle[index(b)],
        static_cast<Port>(port[index(b)][index(whole.port(whole.peer(c))) - 1] + 1), whole.rate(c));
  }
  result.fabric = builder.build();
  return result;
}

unsigned level_in_name(std::string_view id) {
  unsigned level = 0;
  std::from_chars(id.data() + 1, id.data() + id.size(), level);
  return level;
}

}  // namespace fatwood::test
