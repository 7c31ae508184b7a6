// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A tree as one destination switch sees it: who is above, and how far everyone is by a route that
// climbs, then descends.
//
// Method: search upwards from the destination; then each switch's distance is the least, over all
// switches above the destination, of its climb there and the descent. Peaks that agree in their
// rows of hops are taken once. Where cables within a level or across levels make a switch descend
// farther than it could climb and descend, that shortcut does not hold (who was entered from above
// must descend), and all distances are counted switch by switch. Cost: O(cables of the switches
// above + classes of peaks * switches), the latter in byte vectors.

#include <cstdint>
#include <vector>

#include "routing/tree/climb.hpp"

namespace fatwood {

class TreeView {
 public:
  explicit TreeView(const TreeClimb& climb);

  // Looks from another switch; all tables below are its own from then on.
  void look(Switch destination);
  // The same without `hops`, `climbing` and classes(): for callers that need no more.
  void look_up(Switch destination);

  Switch destination() const { return destination_; }
  // The destination, then the switches above it by growing distance.
  const std::vector<Switch>& above() const { return above_; }
  bool is_above(Switch s) const { return descent[s] != kNotBelow; }
  // Calls visit(group) for each by which a shortest descent from `s` begins; `s` is above the
  // destination.
  template <class Visit>
  void each_way_down(Switch s, const Visit& visit) const {
    for (WayNumber way = first_way_[s]; way != kNone<WayNumber>; way = ways_[way].next) {
      visit(ways_[way].group);
    }
  }
  // Peaks above, and the shortest descent from them.
  struct ClassAbove {
    PeakClass peaks;
    std::uint8_t depth;
  };
  const std::vector<ClassAbove>& classes() const { return classes_; }

  // kNotBelow where there is none.
  Table<Switch, std::uint8_t> descent;  // hops of the shortest descent: switches above only
  Table<Switch, std::uint8_t> hops;     // of the shortest route; switches above descend
  // The same for switches that must climb, 0 for the others and for those without a route.
  Table<Switch, std::uint8_t> climbing;
  // A port of the shortest descent; switches above only. Alternatives take turns by destination.
  Table<Switch, Port> down_port;
  Table<Switch, Group> down_group;  // that the port is one of

 private:
  void search_up();
  void measure();
  void measure_exactly();

  const TreeClimb& climb_;
  Switch destination_ = kNone<Switch>;
  Switch measured_ = kNone<Switch>;  // the destination that `hops` is of
  std::vector<Switch> above_;
  enum class WayNumber : std::uint32_t {};
  struct Way {
    Group group;
    WayNumber next;  // of the same switch, or kNone
  };
  Table<WayNumber, Way> ways_;
  Table<Switch, WayNumber> first_way_;       // of the switches above
  Table<Switch, std::uint32_t> way_count_;   // of the switches above
  Table<PeakClass, std::uint8_t> by_class_;  // least descent of its peaks
  std::vector<ClassAbove> classes_;          // that have one
};

}  // namespace fatwood
