// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The order of switches that makes sftree's routes complete: every pair has a route, and the routes
// of ftree stay legal.
//
// Problem: in the order of the tree (up_down_order.hpp) two cores have no path that goes up, then
// down. Idea: take another order, in which one leaf is the highest switch and the cables above it
// are reversed. [Bogdanski12] calls this an upside-down sub-tree (Algorithm 1, section 5). Here the
// order covers all switches of any connected fabric:
// 1. First comes the root of the sub-tree, a leaf.
// 2. Then the switches above it in the tree, level by level: the sub-tree of the paper.
// 3. Then, repeatedly, a switch with a neighbour in the order, all of whose upper neighbours are in
//    the order; the highest first.
// 4. If there is none, a switch with a neighbour in the order but some upper neighbours missing:
//    the highest level first, then the fewest missing. For example, a core that the root cannot
//    reach because of a missing cable is placed below one of its spines.
//
// Every switch but the root has a neighbour earlier in the order, so each pair has a path that goes
// up, then down, in this order. One order of channels proves the whole table free of deadlock. The
// paper's turns from down to up are plain up hops here.
//
// A route of ftree stays legal, except if it crosses two reversed cables of one switch, or
// continues up after a reversed cable. The pairs of switches where this may happen are listed as
// suspects. There are none on trees with one path down from each switch to each leaf, except at
// spare parents of the root.
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

// Selects the root of the sub-tree: the first leaf from which going up and then down reaches every
// switch, otherwise the leaf that reaches most (Algorithm 1 of [Bogdanski12]). `avoided` is used
// only if there is no other. Leaves with more up cables per terminal come first, because all
// fallback routes cross the root.
Switch select_root(const UpDownOrder& up_down, const Table<Switch, std::uint32_t>& terminals,
                   std::optional<Switch> avoided);

// The switches that cables connect to the root, in the order above, the highest first.
std::vector<Switch> sub_tree_order(const UpDownOrder& up_down, Switch root);

// REQUIRES that all switches are connected.
SubTree sub_tree(const UpDownOrder& up_down, Switch root);

// Makes a row complete and legal in the order of the sub-tree: replaces entries that break it, lead
// nowhere or are missing. A correct row is not changed.
void mend_row(const UpDownOrder& up_down, const SubTree& tree, Switch destination,
              std::span<Port> row);

}  // namespace fatwood
