// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The tree as seen from the switch of one destination: the switches above it, and the distance of
// every switch by a route that goes up, then down.
//
// Method: search upwards from the destination. The distance of a switch is the minimum, over all
// switches above the destination, of the hops up to such a switch plus the hops down from it. Roots
// with equal rows of hops are examined once. With cables within a level or across levels, a switch
// above the destination may have a shorter route up and down than straight down. It must still go
// down, because packets may have come from above. Then the minimum is wrong for switches below it,
// and distances are computed switch by switch.
// Cost: O(cables of the switches above + classes of roots * switches), the latter in byte vectors.

#include <cstdint>
#include <vector>

#include "routing/tree/up_down_order.hpp"

namespace fatwood {

class TreeView {
 public:
  explicit TreeView(const UpDownOrder& up_down);

  // Changes the destination switch. All members below then belong to it.
  void look(Switch destination);
  // The same without `hops`, `up_hops` and classes().
  void look_up(Switch destination);

  Switch destination() const { return destination_; }
  // The destination, then the switches above it by increasing distance.
  const std::vector<Switch>& above() const { return above_; }
  bool is_above(Switch s) const { return down_hops[s] != kNotBelow; }
  // Calls visit(trunk) for each trunk with which a shortest path down from `s` begins. REQUIRES
  // is_above(s).
  template <class Visit>
  void each_down_trunk(Switch s, const Visit& visit) const {
    for (DownNumber number = first_down_[s]; number != kNone<DownNumber>;
         number = downs_[number].next) {
      visit(downs_[number].trunk);
    }
  }
  // Roots above the destination, and the hops of the shortest path down from them.
  struct ClassAbove {
    RootClass roots;
    std::uint8_t depth;
  };
  const std::vector<ClassAbove>& classes() const { return classes_; }

  // kNotBelow if there is no path.
  Table<Switch, std::uint8_t> down_hops;  // hops of the shortest path down: switches above only
  Table<Switch, std::uint8_t> hops;       // hops of the shortest route; switches above go down
  // `hops` of switches that must go up; 0 for others and for those without a route.
  Table<Switch, std::uint8_t> up_hops;
  // A port of the shortest path down; switches above only. Destinations alternate between ports.
  Table<Switch, Port> down_port;
  Table<Switch, Trunk> down_trunk;  // the trunk of down_port

 private:
  void search_up();
  void measure();
  void measure_exactly();

  const UpDownOrder& up_down_;
  Switch destination_ = kNone<Switch>;
  Switch measured_ = kNone<Switch>;  // the destination of `hops`
  std::vector<Switch> above_;
  enum class DownNumber : std::uint32_t {};
  struct DownTrunk {
    Trunk trunk;
    DownNumber next;  // of the same switch, or kNone
  };
  Table<DownNumber, DownTrunk> downs_;
  Table<Switch, DownNumber> first_down_;     // of the switches above
  Table<Switch, std::uint32_t> down_count_;  // of the switches above
  Table<RootClass, std::uint8_t> by_class_;  // fewest hops down from its roots
  std::vector<ClassAbove> classes_;          // classes with a path down
};

}  // namespace fatwood
