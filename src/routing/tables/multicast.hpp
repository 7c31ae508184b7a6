// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The tree of a multicast group: cables that connect the switches of its members.
//
// Goal: a low tree with few cables, through switches that can copy packets. Trees of different
// groups should use different cables.
// Method:
// 1. Search breadth first from all members at once, with one bit per member at each switch, until
//    some switches are reached from all members. These centres have the smallest maximum distance
//    to the members. The number of the group selects one of them as root.
// 2. From the farthest members inwards, each switch of the tree chooses a neighbour nearer to the
//    root as its parent: one that is already in the tree, otherwise the neighbours in turn.
// Cost: O(cables * (members / 64) * height).
// OpenSM also builds a tree of shortest paths from a root, using hop counts of all pairs.

#include <cstdint>
#include <span>
#include <vector>

#include "topology/graph/port_graph.hpp"

namespace fatwood {

struct MulticastTree {
  Switch root = kNone<Switch>;   // kNone: no members
  std::vector<Channel> up = {};  // for each other switch of the tree: the channel to its parent
  std::vector<Switch> left_out = {};  // members that capable switches cannot connect
};

// members: switches that are members or have members, each once. capable: switches that can copy
// packets. group: any number; different numbers give different trees if there is a choice.
// REQUIRES graph == port_graph(fabric).
MulticastTree multicast_tree(const Fabric& fabric, const PortGraph& graph,
                             std::span<const Switch> members, const Table<Switch, char>& capable,
                             std::uint32_t group);

}  // namespace fatwood
