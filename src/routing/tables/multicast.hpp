// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The tree of a multicast group: cables that join the switches of its members.
//
// Problem: a tree over the members' switches, low and with few cables, through switches that can
// copy packets; trees of different groups should use different cables.
// Method: the balls around all members grow hop by hop together, a bit for each member at each
// switch, until some switches lie in all of them: these centres have the least greatest distance
// to the members, and the number of the group takes one of them for the root. Then from the
// farthest members inwards, each switch of the tree takes a nearer neighbour that is in the tree
// already, or else one in turn.
// Cost: O(cables * (members / 64) * height).
// A tree of shortest paths from a root is what OpenSM builds too, from hop counts of all pairs.

#include <cstdint>
#include <span>
#include <vector>

#include "topology/graph/port_graph.hpp"

namespace fatwood {

struct MulticastTree {
  Switch root = kNone<Switch>;        // none: no members
  std::vector<Channel> up = {};       // of each other switch of the tree, the channel to its parent
  std::vector<Switch> left_out = {};  // members that no tree through capable switches can join
};

// members: switches that are members or have some, each once. capable: which switches can copy
// packets. group: any number; groups with different ones get different trees where there is a
// choice. REQUIRES graph == port_graph(fabric).
MulticastTree multicast_tree(const Fabric& fabric, const PortGraph& graph,
                             std::span<const Switch> members, const Table<Switch, char>& capable,
                             std::uint32_t group);

}  // namespace fatwood
