// SPDX-License-Identifier: BSD-3-Clause
#include "topology/recognise/complete_tree.hpp"

#include "topology/recognise/recognition.hpp"

namespace fatwood {

std::optional<CompleteTree> complete_tree(const Fabric& fabric, const Adapters& adapters,
                                          const Recognition& known) {
  if (!known.map || known.map->trees > 1 || !known.map->complete()) return std::nullopt;
  const TreeMap& map = *known.map;
  if (map.shape.terminals() != adapters.size() || !adapters.one_port_each()) return std::nullopt;
  CompleteTree tree{map.shape, map.terminal_at, map.terminal_place, map.channel};
  for (const Channel c : tree.channels) {
    if (c != kNone<Channel> && !fabric.connected(c)) return std::nullopt;
  }
  for (const Adapter adapter : ids<Adapter>(adapters.size())) {
    if (tree.places[adapters.terminals(adapter).front()] == kNoPlace) return std::nullopt;
  }
  return tree;
}

}  // namespace fatwood
