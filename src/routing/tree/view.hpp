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
  void look(std::uint32_t destination);
  // The same without `hops`, `climbing` and classes(): for callers that need no more.
  void look_up(std::uint32_t destination);

  std::uint32_t destination() const { return destination_; }
  // The destination, then the switches above it by growing distance.
  const std::vector<std::uint32_t>& above() const { return above_; }
  bool is_above(std::uint32_t s) const { return descent[s] != kNotBelow; }
  // Calls visit(group of climb.graph) for each by which a shortest descent from `s` begins; `s` is
  // above the destination.
  template <class Visit>
  void each_way_down(std::uint32_t s, const Visit& visit) const {
    for (std::uint32_t way = first_way_[s]; way != kNobody; way = ways_[way].next) {
      visit(ways_[way].group);
    }
  }
  // Rows of hops of the peaks above, and the descent from them.
  struct PeakClass {
    std::uint32_t row;
    std::uint8_t depth;
  };
  const std::vector<PeakClass>& classes() const { return classes_; }

  // By switch; kNotBelow where there is none.
  std::vector<std::uint8_t> descent;  // hops of the shortest descent: switches above only
  std::vector<std::uint8_t> hops;     // of the shortest route; switches above descend
  // The same for switches that must climb, 0 for the others and for those without a route.
  std::vector<std::uint8_t> climbing;
  // A port of the shortest descent; switches above only. Alternatives take turns by destination.
  std::vector<std::uint8_t> down_port;
  std::vector<std::uint32_t> down_group;  // of climb.graph, that the port is one of

 private:
  void search_up();
  void measure();
  void measure_exactly();

  const TreeClimb& climb_;
  std::uint32_t destination_ = kNobody;
  std::uint32_t measured_ = kNobody;  // the destination that `hops` is of
  std::vector<std::uint32_t> above_;
  struct Way {
    std::uint32_t group;
    std::uint32_t next;  // of the same switch, or kNobody
  };
  std::vector<Way> ways_;
  std::vector<std::uint32_t> first_way_;  // by switch above: in ways_
  std::vector<std::uint32_t> way_count_;  // by switch above
  std::vector<std::uint8_t> by_class_;    // least descent of the peaks of a class
  std::vector<PeakClass> classes_;        // that have one
};

}  // namespace fatwood
