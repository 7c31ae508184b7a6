// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// sftree's upside-down sub-tree, generalised: a second total order of the switches in which every
// pair has a route and the routes of ftree stay legal.
//
// Method ([Bogdanski12], Algorithm 1 and section 5, extended to any connected fabric): the root of
// the sub-tree, a leaf, is the highest switch. The switches above it follow, level by level: the
// paper's sub-tree, with its channels reversed. Next comes a switch that has a neighbour in the
// order and all its upper neighbours of the tree; highest first. If there is none, a switch with a
// neighbour in the order goes ahead of its missing upper neighbours: the highest level first, then
// the fewest missing. A core that the root lost by a missing cable hangs below one of its spines.
// Every switch but the root has a higher neighbour, so each pair has a path up and down in this
// order. One order of channels proves the whole table, and the paper's turns from down to up are
// plain up hops.
//
// Routes of ftree stay legal unless they pass two reversed cables of one switch, or go on up after
// one. Such pairs of switches are listed as suspects. On trees with one path down from each switch
// to each leaf there are none, except at the root's own spare parents.
// Cost: O(cables + switches * switches that go ahead).

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
  std::vector<Switch> descending;     // by rank
  RestRows to_root;                   // ports of shortest paths up to the root; the root: none
  std::vector<std::pair<Switch, Switch>> suspects;  // (from, to): see above
};

// Algorithm 1 of [Bogdanski12]: the first leaf from which the tree reaches every switch, else the
// leaf that reaches most; not the avoided one unless there is no other. Leaves with more cables
// upwards for their terminals come first: what has no route in the tree goes through the root.
Switch select_root(const UpDownOrder& up_down, const Table<Switch, std::uint32_t>& terminals,
                   std::optional<Switch> avoided);

// REQUIRES that all switches are connected.
SubTree sub_tree(const UpDownOrder& up_down, Switch root);

// Makes a row whole and legal in the sub-tree's order: entries that break it, lead nowhere or are
// missing get others. Nothing happens to rows that are so already.
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
