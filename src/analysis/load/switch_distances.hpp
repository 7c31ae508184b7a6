// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Shortest distances of all switches to the nearest of some switches, over channels with given
// lengths (Dijkstra). Of equal paths, the one found first stays. Cost: O(channels * log switches).

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "core/table.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

template <class Length>
class SwitchDistances {
 public:
  explicit SwitchDistances(const Fabric& fabric) : fabric_(fabric) {}

  // Also finds the first channel of a shortest path from each switch.
  void find(Switch to, const Table<Channel, Length>& length) { find(std::span(&to, 1), length); }
  void find(std::span<const Switch> to, const Table<Channel, Length>& length) {
    far_.assign(fabric_.num_switches(), std::numeric_limits<Length>::max());
    first_.assign(fabric_.num_switches(), kNone<Channel>);
    order_.clear();
    using Entry = std::pair<Length, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    for (const Switch s : to) {
      far_[index(s)] = 0;
      open.push({0, index(s)});
    }
    while (!open.empty()) {
      const auto [far, s] = open.top();
      open.pop();
      if (far != far_[s]) continue;
      order_.push_back(s);
      for (const SwitchLink& link : fabric_.links(static_cast<Switch>(s))) {
        const Channel c = fabric_.peer(link.channel);  // towards s
        const std::uint32_t before = index(link.to);
        if (far + length[c] >= far_[before]) continue;
        far_[before] = far + length[c];
        first_[before] = c;
        open.push({far_[before], before});
      }
    }
  }
  // The largest number if there is no path.
  Length far(Switch s) const { return far_[index(s)]; }
  Switch nearest(std::span<const Switch> of) const {
    return *std::ranges::min_element(of, {}, [&](Switch s) { return far(s); });
  }
  Channel first(std::uint32_t s) const { return first_[s]; }  // kNone at a destination
  // Calls visit(channel) along the path of a switch.
  template <class Visit>
  void each_channel(Switch from, const Visit& visit) const {
    for (Channel c = first(index(from)); c != kNone<Channel>;) {
      visit(c);
      c = first(index(fabric_.next_switch(c)));
    }
  }
  const std::vector<std::uint32_t>& nearest_first() const { return order_; }

 private:
  const Fabric& fabric_;
  std::vector<Length> far_;
  std::vector<Channel> first_;
  std::vector<std::uint32_t> order_;
};

}  // namespace fatwood
