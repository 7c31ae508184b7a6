// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds the switches that the covers of a destination do not serve yet. find_descents then
// adds covers for them (descents.hpp).
//
// A cover of a destination is a switch above it at which traffic turns down. A switch with counted
// terminals is covered if one of its shortest routes to the destination turns at a cover. A
// destination of a complete tree needs one root as cover, so a root is checked first, for all
// switches in one pass; roots with equal hops from all switches with counted terminals are checked
// once. Cost: O(switches / 32) per destination if that root covers all; otherwise O(switches).

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
  // Removes the switches that `top` covers from the list, and `s` in any case. On fabrics that are
  // not trees, the shortest path up from `s` to `top` may pass another switch above the
  // destination, which must go down. Then `top` does not cover `s`, and `s` takes the default route
  // of its row.
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
  Table<Switch, std::uint8_t> need_;    // fewest hops of counted switches; 0: not needed
  Switch needed_at_ = kNone<Switch>;    // the destination of need_
  Table<Switch, std::uint8_t> nobody_;  // a row of hops in which no switch is below the root
  Table<Switch, std::uint32_t>
      marked_;             // by switch: the last destination of which a cover serves it
  std::uint32_t now_ = 0;  // number of the destination
  std::vector<Switch> uncovered_;
};

}  // namespace fatwood
