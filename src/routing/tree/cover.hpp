// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds the switches that do not reach a destination's covers in the fewest hops. The plan then
// adds covers for them.
//
// A switch with counted terminals is covered if one of the destination's covers (plan.hpp) is on a
// shortest route from it. Roots that are equal for all such switches are checked once per
// destination. If one root covers all of them, nothing else is checked.
// Cost: O(switches / 32) per destination if the first root covers all; otherwise O(switches).

#include <cstdint>
#include <vector>

#include "routing/tree/view.hpp"

namespace fatwood {

class TreeCover {
 public:
  // `weight`: counted terminals of each switch.
  TreeCover(const UpDownOrder& up_down, const Table<Switch, std::uint32_t>& weight);

  // Starts a new destination, on this switch, without covers.
  void begin(Switch destination);
  void add(Switch top) { tops_.push_back(top); }

  // The switches that are not covered. The list shrinks with each call of cover().
  const std::vector<Switch>& find_uncovered();
  // Removes the switches that `top` covers, and `s` in any case. On fabrics that are not trees the
  // shortest path up from `s` to `top` may pass another switch above the destination, which has to
  // go down: then `top` does not cover `s`, and `s` takes the default route of its row.
  void cover(Switch top, Switch s);

  // The tree as the destination sees it; `hops` is valid only after find_uncovered().
  TreeView view;

 private:
  enum class Like : std::uint32_t {};  // class of roots that are equal for all counted switches
  struct Met {
    Switch destination = kNone<Switch>;
    std::uint8_t depth = 0;
    bool all = false;
  };

  void find_likes();
  void find_needs();
  bool meets_all(Root root);
  void mark_below(Switch top);

  const UpDownOrder& up_down_;
  Switch destination_ = kNone<Switch>;
  std::vector<Switch> tops_;             // covers of the destination
  Table<Switch, std::uint8_t> counted_;  // 0xff for a switch with counted terminals, else 0
  Table<RootClass, Like> like_;
  Table<Like, Met> met_;
  Table<Switch, std::uint8_t> need_;     // fewest hops of counted switches; 0: not needed
  Switch needed_at_ = kNone<Switch>;     // the destination of need_
  Table<Switch, std::uint8_t> nobody_;   // a row of hops that covers no switch
  Table<Switch, std::uint32_t> marked_;  // the last destination for which a cover is above it
  std::uint32_t now_ = 0;                // number of the destination
  std::vector<Switch> uncovered_;
};

}  // namespace fatwood
