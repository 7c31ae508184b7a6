// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/home_chains.hpp"

namespace fatwood {

HomeChains::HomeChains(const Model& model) : fabric_(model.fabric()) {
  const std::optional<TreeMap>& map = model.recognition().map;
  if (map && map->trees == 1) map_ = &*map;
}

std::span<const DownStep> HomeChains::of(Terminal t) {
  steps_.clear();
  if (map_ == nullptr || map_->terminal_place[t] == kNoPlace) return steps_;
  const TreeShape& shape = map_->shape;
  Switch at = fabric_.leaf(t);
  const std::uint64_t canonical = map_->terminal_place[t];
  std::uint64_t number = 0;  // within the sub-tree, of so many
  std::uint64_t size = 1;
  for (unsigned level = 1; level < shape.height(); ++level) {
    const std::uint32_t place = map_->place[at];
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
    const Channel up = map_->channel[map_->first_slot[place] + q + 1];
    if (up == kNone<Channel>) break;
    at = fabric_.next_switch(up);
    steps_.push_back({at, fabric_.port(fabric_.peer(up))});
  }
  return steps_;
}

}  // namespace fatwood
