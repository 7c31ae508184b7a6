// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/view.hpp"

#include <algorithm>

#include "routing/tables/routing.hpp"
#include "routing/tree/bytes.hpp"

namespace fatwood {

TreeView::TreeView(const TreeClimb& climb)
    : descent(climb.size(), kNotBelow),
      hops(climb.size(), kNotBelow),
      climbing(climb.size()),
      down_port(climb.size(), kNoRoute),
      down_group(climb.size()),
      climb_(climb),
      first_way_(climb.size()),
      way_count_(climb.size()),
      by_class_(climb.num_classes(), kNotBelow) {}

void TreeView::look(Switch destination) {
  look_up(destination);
  if (measured_ == destination) return;
  measured_ = destination;
  measure();
}

void TreeView::look_up(Switch destination) {
  if (destination == destination_) return;
  for (const Switch s : above_) descent[s] = kNotBelow;
  destination_ = destination;
  search_up();
}

void TreeView::search_up() {
  const TreeGraph& graph = climb_.graph();
  above_.assign(1, destination_);
  ways_.resize(0);
  descent[destination_] = 0;
  down_port[destination_] = kOwnPort;
  for (std::size_t i = 0; i < above_.size(); ++i) {
    const Switch s = above_[i];
    if (descent[s] >= kMostHops) continue;
    const auto depth = static_cast<std::uint8_t>(descent[s] + 1);
    for (const Group g : graph.up(s)) {
      const Switch up = graph.neighbour(g);
      if (descent[up] == kNotBelow) {
        descent[up] = depth;
        first_way_[up] = kNone<WayNumber>;
        way_count_[up] = 0;
        above_.push_back(up);
      }
      if (descent[up] != depth) continue;
      ways_.push_back({climb_.reverse(g), first_way_[up]});
      first_way_[up] = static_cast<WayNumber>(ways_.size() - 1);
      // The k-th way replaces those before for one destination in k.
      const std::uint32_t k = ++way_count_[up];
      if (k > 1 && (index(destination_) + index(up)) % k != 0) continue;
      down_group[up] = climb_.reverse(g);
      const auto ports = graph.ports(down_group[up]);
      down_port[up] = ports.size() == 1 ? ports[0] : ports[index(destination_) % ports.size()];
    }
  }
}

void TreeView::measure() {
  const std::size_t n = climb_.size();
  std::fill(hops.begin(), hops.end(), kNotBelow);
  classes_.clear();
  for (const Switch top : above_) {
    const std::uint8_t depth = descent[top];
    if (climb_.is_peak(top)) {
      const PeakClass peaks = climb_.class_of(climb_.peak(top));
      if (by_class_[peaks] == kNotBelow) classes_.push_back({peaks, depth});
      by_class_[peaks] = std::min(by_class_[peaks], depth);
    } else {
      for (const Below& entry : climb_.below(top)) {
        hops[entry.at] = std::min(hops[entry.at], static_cast<std::uint8_t>(entry.hops + depth));
      }
    }
  }
  for (auto& [peaks, depth] : classes_) {
    depth = by_class_[peaks];
    by_class_[peaks] = kNotBelow;
    take_shorter(climb_.hops_to(peaks), depth, hops.data(), n);
  }
  const auto climbs_better = [&](Switch s) { return hops[s] < descent[s]; };
  if (std::ranges::any_of(above_, climbs_better)) measure_exactly();
  for (const Switch top : above_) hops[top] = 0;
  copy_known(hops.data(), climbing.data(), n);
  for (const Switch top : above_) hops[top] = descent[top];
}

// From the highest switch down: switches that can go down do, all others go up to the nearest that
// is best off.
void TreeView::measure_exactly() {
  const TreeGraph& graph = climb_.graph();
  for (std::size_t i = climb_.size(); i-- > 0;) {
    const Switch s = climb_.ascending()[i];
    hops[s] = descent[s];
    if (is_above(s)) continue;
    for (const Group g : graph.up(s)) {
      const std::uint8_t there = hops[graph.neighbour(g)];
      if (there < 2 * kMostHops) hops[s] = std::min(hops[s], static_cast<std::uint8_t>(there + 1));
    }
  }
}

}  // namespace fatwood
