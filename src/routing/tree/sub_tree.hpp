// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The upside-down sub-tree of sftree, generalised: a second total order of the switches, in which
// every pair has a route and the routes of ftree stay legal.
//
// Method ([Bogdanski12], Algorithm 1 and section 5, extended to any connected fabric):
// 1. The root of the sub-tree, a leaf, is the highest switch.
// 2. The switches above it in the tree follow, level by level. This is the sub-tree of the paper;
//    its channels are reversed.
// 3. Next comes a switch that has a neighbour in the order, and all of whose upper neighbours are
//    in the order; the highest first.
// 4. If there is none, a switch with a neighbour in the order comes before its missing upper
//    neighbours: the highest level first, then the fewest missing. For example, a core that the
//    root cannot reach because of a missing cable is placed below one of its spines.
// Every switch but the root has a higher neighbour, so each pair has a path up and down in this
// order. One order of channels proves the whole table. The paper's turns from down to up are plain
// up hops here.
//
// Routes of ftree stay legal unless they cross two reversed cables of one switch, or continue up
// after one. Such pairs of switches are listed as suspects. On trees with one path down from each
// switch to each leaf there are none, except at spare parents of the root.
// Cost: O(cables + switches * switches of step 4).

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "routing/tree/rows.hpp"

namespace fatwood {

struct SubTree {
  Switch root = kNone<Switch>;
  Table<Switch, std::uint32_t> rank;  // 0: the root, the highest
  std::vector<Switch> descending;     // switches by rank
  RestRows to_root;                   // ports of shortest paths up to the root; none at the root
  std::vector<std::pair<Switch, Switch>> suspects;  // (from, to), see above
};

// Algorithm 1 of [Bogdanski12]: the first leaf from which the tree reaches every switch, otherwise
// the leaf that reaches most. `avoided` is used only if there is no other. Leaves with more up
// cables per terminal come first, because all fallback routes cross the root.
Switch select_root(const UpDownOrder& up_down, const Table<Switch, std::uint32_t>& terminals,
                   std::optional<Switch> avoided);

// REQUIRES that all switches are connected.
SubTree sub_tree(const UpDownOrder& up_down, Switch root);

// Makes a row complete and legal in the order of the sub-tree: replaces entries that break it, lead
// nowhere or are missing. A correct row is not changed.
class RowMender {
 public:
  RowMender(const UpDownOrder& up_down, const SubTree& tree) : up_down_(up_down), tree_(tree) {}

  void mend(Switch destination, std::span<Port> row) const;

 private:
  bool is_fine(Switch destination, std::span<const Port> row) const;

  const UpDownOrder& up_down_;
  const SubTree& tree_;
};

}  // namespace fatwood
