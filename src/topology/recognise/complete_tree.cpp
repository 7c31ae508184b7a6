// SPDX-License-Identifier: BSD-3-Clause
#include "topology/recognise/complete_tree.hpp"

#include "topology/recognise/recognition.hpp"

namespace fatwood {

namespace {

// Slots of the canonical fabric: each node has its radix and a port 0.
std::vector<Channel> canonical_channels(const TreeMap& map) {
  std::vector<Channel> channels;
  const TreeShape& shape = map.shape;
  std::uint64_t node = 0;
  for (unsigned level = 0; level <= shape.height(); ++level) {
    for (std::uint64_t i = 0; i < shape.nodes_at(level); ++i, ++node) {
      channels.push_back(kNone<Channel>);  // port 0
      for (std::uint32_t q = 0; q < shape.radix(level); ++q) {
        channels.push_back(map.channel[map.first_slot[node] + q]);
      }
    }
  }
  return channels;
}

}  // namespace

std::optional<CompleteTree> complete_tree(const Fabric& fabric, const Adapters& adapters,
                                          const Recognition& known) {
  if (!known.map || known.map->trees > 1 || !known.map->complete()) return std::nullopt;
  const TreeMap& map = *known.map;
  if (map.shape.terminals() != adapters.size() || !adapters.one_port_each()) return std::nullopt;
  CompleteTree tree{map.shape, map.terminal_at, map.terminal_place, canonical_channels(map)};
  for (std::uint32_t slot = 0; slot < tree.channels.size(); ++slot) {
    if (tree.channels[slot] == kNone<Channel>) continue;
    if (!fabric.connected(tree.channels[slot])) return std::nullopt;
  }
  for (const Adapter adapter : ids<Adapter>(adapters.size())) {
    if (tree.places[adapters.terminals(adapter).front()] == kNoPlace) return std::nullopt;
  }
  return tree;
}

}  // namespace fatwood
