// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/home_chains.hpp"

namespace fatwood {

std::vector<DownStep> home_chain(const Model& model, Terminal t) {
  const Fabric& fabric = model.fabric();
  const std::optional<TreeMap>& map = model.recognition().map;
  std::vector<DownStep> steps;
  if (!map || map->trees != 1 || map->terminal_place[t] == kNoPlace) return steps;
  const TreeShape& shape = map->shape;
  Switch at = fabric.leaf(t);
  const std::uint64_t canonical = map->terminal_place[t];
  std::uint64_t number = 0;  // within the sub-tree, of so many
  std::uint64_t size = 1;
  for (unsigned level = 1; level < shape.height(); ++level) {
    const std::uint32_t place = map->place[at];
    if (place == kNoPlace || shape.up_ports(level) == 0) break;
    number += canonical / shape.M(level - 1) % shape.m[level - 1] * size;
    size *= shape.m[level - 1];
    const std::uint64_t chains = shape.W(level) * shape.up_ports(level);
    if (size > chains) {
      size -= size % chains;
      number %= size;
    }
    const std::uint64_t whole = canonical / shape.M(level) * size + number;
    const auto q = static_cast<std::uint32_t>(whole / shape.W(level) % shape.up_ports(level));
    const Channel up = map->channel[map->first_slot[place] + q + 1];
    if (up == kNone<Channel>) break;
    at = fabric.next_switch(up);
    steps.push_back({at, fabric.port(fabric.peer(up))});
  }
  return steps;
}

}  // namespace fatwood
