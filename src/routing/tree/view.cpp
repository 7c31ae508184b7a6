// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/view.hpp"

#include <algorithm>

#include "routing/tables/routing.hpp"
#include "routing/tree/bytes.hpp"

namespace fatwood {

TreeView::TreeView(const UpDownOrder& up_down)
    : down_hops(up_down.size(), kNotBelow),
      hops(up_down.size(), kNotBelow),
      up_hops(up_down.size()),
      down_port(up_down.size(), kNoRoute),
      down_trunk(up_down.size()),
      up_down_(up_down),
      first_down_(up_down.size()),
      down_count_(up_down.size()),
      by_class_(up_down.num_classes(), kNotBelow) {}

void TreeView::look(Switch destination) {
  look_up(destination);
  if (measured_ == destination) return;
  measured_ = destination;
  measure();
}

void TreeView::look_up(Switch destination) {
  if (destination == destination_) return;
  for (const Switch s : above_) down_hops[s] = kNotBelow;
  destination_ = destination;
  search_up();
}

void TreeView::search_up() {
  const PortGraph& graph = up_down_.graph();
  above_.assign(1, destination_);
  downs_.resize(0);
  down_hops[destination_] = 0;
  down_port[destination_] = kOwnPort;
  for (std::size_t i = 0; i < above_.size(); ++i) {
    const Switch s = above_[i];
    if (down_hops[s] >= kMostHops) continue;
    const auto depth = static_cast<std::uint8_t>(down_hops[s] + 1);
    for (const Trunk g : graph.up(s)) {
      const Switch up = graph.neighbour(g);
      if (down_hops[up] == kNotBelow) {
        down_hops[up] = depth;
        first_down_[up] = kNone<DownNumber>;
        down_count_[up] = 0;
        above_.push_back(up);
      }
      if (down_hops[up] != depth) continue;
      downs_.push_back({up_down_.reverse(g), first_down_[up]});
      first_down_[up] = static_cast<DownNumber>(downs_.size() - 1);
      // The k-th path replaces the earlier ones for one destination in k.
      const std::uint32_t k = ++down_count_[up];
      if (k > 1 && (index(destination_) + index(up)) % k != 0) continue;
      down_trunk[up] = up_down_.reverse(g);
      const auto ports = graph.ports(down_trunk[up]);
      down_port[up] = ports.size() == 1 ? ports[0] : ports[index(destination_) % ports.size()];
    }
  }
}

void TreeView::measure() {
  const std::size_t n = up_down_.size();
  std::fill(hops.begin(), hops.end(), kNotBelow);
  classes_.clear();
  for (const Switch top : above_) {
    const std::uint8_t depth = down_hops[top];
    if (up_down_.is_root(top)) {
      const RootClass roots = up_down_.class_of(up_down_.root(top));
      if (by_class_[roots] == kNotBelow) classes_.push_back({roots, depth});
      by_class_[roots] = std::min(by_class_[roots], depth);
    } else {
      for (const Below& entry : up_down_.below(top)) {
        hops[entry.at] = std::min(hops[entry.at], static_cast<std::uint8_t>(entry.hops + depth));
      }
    }
  }
  for (auto& [roots, depth] : classes_) {
    depth = by_class_[roots];
    by_class_[roots] = kNotBelow;
    take_shorter(up_down_.hops_to(roots), depth, hops.data(), n);
  }
  const auto up_is_shorter = [&](Switch s) { return hops[s] < down_hops[s]; };
  if (std::ranges::any_of(above_, up_is_shorter)) measure_exactly();
  for (const Switch top : above_) hops[top] = 0;
  copy_known(hops.data(), up_hops.data(), n);
  for (const Switch top : above_) hops[top] = down_hops[top];
}

// From the highest switch down: switches that can go down do so; all others go up to the neighbour
// with the shortest distance.
void TreeView::measure_exactly() {
  const PortGraph& graph = up_down_.graph();
  for (std::size_t i = up_down_.size(); i-- > 0;) {
    const Switch s = up_down_.ascending()[i];
    hops[s] = down_hops[s];
    if (is_above(s)) continue;
    for (const Trunk g : graph.up(s)) {
      const std::uint8_t there = hops[graph.neighbour(g)];
      if (there < 2 * kMostHops) hops[s] = std::min(hops[s], static_cast<std::uint8_t>(there + 1));
    }
  }
}

}  // namespace fatwood
