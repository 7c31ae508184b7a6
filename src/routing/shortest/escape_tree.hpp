// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Escape paths: a spanning tree of the switches, over which every switch can reach every other.
//
// Problem: an engine that adds routes one after the other to a lane without cycles of dependencies
// must never be left without a path for the last ones.
// Method: a breadth-first tree for each component, from a central root. Paths over a tree have no
// cycle of dependencies. Their dependencies are added to the lane before any route, so they can
// never be refused.
// Root: the switch with the smallest sum of hops to all hosts; in a fabric like a tree, the best
// leaf. A spanning tree rooted at a leaf goes down and up again only there, so it does not block
// up*/down* routes. A tree rooted at a core turns at a leaf of every pod, and two such turns close
// a cycle with ordinary routes. Encoding: by switch, the link to the parent. Cost: O(switches^2 +
// links). Paper: escape paths of [Domke16], where the root is the most central switch of the
// destinations' convex hull.

#include <cstdint>
#include <span>
#include <vector>

#include "routing/graph/link_graph.hpp"
#include "routing/shortest/layers.hpp"

namespace fatwood {

class EscapeTree {
 public:
  // hops: hop_counts() of the same switches; hosts: number on each switch.
  EscapeTree(const LinkGraph& links, std::span<const std::uint16_t> hops, const Heights& heights,
             std::span<const std::uint64_t> hosts);

  const std::vector<std::uint32_t>& roots() const { return roots_; }  // one per component

  // By switch: the link towards the destination, kNone at the destination itself. Undefined for
  // switches of other components.
  std::vector<Link> towards(std::uint32_t destination) const;

  // Adds the dependencies of all paths over the tree to a lane without others.
  void add_dependencies(Layer& lane) const;

 private:
  void grow(std::uint32_t root);

  const LinkGraph* links_;
  std::vector<std::uint32_t> roots_;
  std::vector<Link> to_parent_;  // by switch; kNone: a root
};

}  // namespace fatwood
