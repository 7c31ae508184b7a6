// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A tree as seen by one destination switch: the switches above it, and the distance of every switch
// by a route that goes up, then down.
//
// Method: search upwards from the destination. The distance of a switch is the minimum, over all
// switches above the destination, of the hops up to that switch and the hops down from it. Roots
// with equal rows of hops are taken once. Cables within a level or across levels can make the path
// down from a switch longer than its path up and down. Then this minimum is wrong, because a packet
// that came from above must go down, and distances are counted switch by switch.
// Cost: O(cables of the switches above + classes of roots * switches), the latter in byte vectors.

#include <cstdint>
#include <vector>

#include "routing/tree/up_down_order.hpp"

namespace fatwood {

class TreeView {
 public:
  explicit TreeView(const UpDownOrder& up_down);

  // Looks from another switch; all tables below are its own from then on.
  void look(Switch destination);
  // The same without `hops`, `up_hops` and classes(): for callers that need no more.
  void look_up(Switch destination);

  Switch destination() const { return destination_; }
  // The destination, then the switches above it by growing distance.
  const std::vector<Switch>& above() const { return above_; }
  bool is_above(Switch s) const { return down_hops[s] != kNotBelow; }
  // Calls visit(group) for each group on which a shortest path down from `s` begins; `s` is above
  // the destination.
  template <class Visit>
  void each_down_group(Switch s, const Visit& visit) const {
    for (DownNumber number = first_down_[s]; number != kNone<DownNumber>;
         number = downs_[number].next) {
      visit(downs_[number].group);
    }
  }
  // Roots above, and the hops of the shortest path down from them.
  struct ClassAbove {
    RootClass roots;
    std::uint8_t depth;
  };
  const std::vector<ClassAbove>& classes() const { return classes_; }

  // kNotBelow where there is none.
  Table<Switch, std::uint8_t> down_hops;  // hops of the shortest path down: switches above only
  Table<Switch, std::uint8_t> hops;       // of the shortest route; switches above go down
  // The same for switches that must go up, 0 for the others and for those without a route.
  Table<Switch, std::uint8_t> up_hops;
  // A port of the shortest path down; switches above only. Alternatives take turns by destination.
  Table<Switch, Port> down_port;
  Table<Switch, Group> down_group;  // that the port is one of

 private:
  void search_up();
  void measure();
  void measure_exactly();

  const UpDownOrder& up_down_;
  Switch destination_ = kNone<Switch>;
  Switch measured_ = kNone<Switch>;  // the destination that `hops` is of
  std::vector<Switch> above_;
  enum class DownNumber : std::uint32_t {};
  struct DownGroup {
    Group group;
    DownNumber next;  // of the same switch, or kNone
  };
  Table<DownNumber, DownGroup> downs_;
  Table<Switch, DownNumber> first_down_;     // of the switches above
  Table<Switch, std::uint32_t> down_count_;  // of the switches above
  Table<RootClass, std::uint8_t> by_class_;  // fewest hops down from its roots
  std::vector<ClassAbove> classes_;          // that have one
};

}  // namespace fatwood
