// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Escape paths: a spanning tree of the switches, over which every switch can reach every other.
//
// Problem: an engine adds routes one after the other to a lane that must stay free of cycles of
// dependencies. Earlier routes may leave no legal path for later ones.
// Idea: paths over a tree have no cycle of dependencies. If these dependencies are in the lane
// before any route, a path over the tree is never refused. So there is always a way out.
// Method: a breadth-first tree for each component. Its root is the switch with the smallest sum of
// hops to all terminals; in a fabric like a tree, the leaf with the smallest sum. A spanning tree
// rooted at a leaf turns from down to up only there, so it does not block up*/down* routes. A tree
// rooted at a core turns at a leaf of every pod, and two such turns close a cycle with ordinary
// routes.
//
// Encoding: by switch, the link to the parent. Cost: O(switches^2 + links).
// Paper: escape paths of [Domke16], where the root is the most central switch of the destinations'
// convex hull.

#include <cstdint>
#include <span>
#include <vector>

#include "routing/shortest/layers.hpp"
#include "topology/graph/link_graph.hpp"

namespace fatwood {

class EscapeTree {
 public:
  // hops: hop_counts() of the same switches; terminals: number on each switch.
  EscapeTree(const LinkGraph& links, std::span<const std::uint16_t> hops, const Heights& heights,
             std::span<const std::uint64_t> terminals);

  const std::vector<std::uint32_t>& roots() const { return roots_; }  // one per component

  // By switch: the link towards the destination, kNone at the destination itself. Undefined for
  // switches of other components.
  std::vector<Link> towards(std::uint32_t destination) const;

  // Adds the dependencies of all paths over the tree to a lane that has none yet.
  void add_dependencies(Layer& lane) const;

 private:
  void grow(std::uint32_t root);

  const LinkGraph* links_;
  std::vector<std::uint32_t> roots_;
  std::vector<Link> to_parent_;  // by switch; kNone: a root
};

}  // namespace fatwood
