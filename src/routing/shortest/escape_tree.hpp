// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Paths that are always there: a spanning tree of the switches, over which any of them reaches any
// other.
//
// Problem: an engine that lays routes one after the other into a lane without a cycle of
// dependencies must never be left without a path for the last of them.
// Method: one tree for each part of the fabric, breadth first from a root in the middle. Paths over
// a tree have no cycle of dependencies, and all their waits are put into the lane before any route:
// what keeps the lane free of cycles can then refuse none of them.
// The root is the switch with the least sum of hops to all hosts; in a fabric like a tree the
// best of the leaves. A spanning tree rooted at a leaf goes down and up again nowhere but there,
// so it does not block up*/down* routes; one rooted at a core turns at a leaf of every pod, and two
// of these close a circle with ordinary routes.
// Encoding: the link to the parent, by switch.
// Cost: O(switches^2 + links).
// Paper: [Domke16], escape paths. There the root is the most central switch of the destinations'
// convex hull.

#include <cstdint>
#include <span>
#include <vector>

#include "routing/graph/link_graph.hpp"
#include "routing/shortest/layers.hpp"

namespace fatwood {

class EscapeTree {
 public:
  // hops: hop_counts() of the same switches; hosts: on each of them.
  EscapeTree(const LinkGraph& links, std::span<const std::uint16_t> hops, const Heights& heights,
             std::span<const std::uint64_t> hosts);

  const std::vector<std::uint32_t>& roots() const { return roots_; }  // one of each part

  // The link by which each switch goes to the destination, kNone at the destination itself.
  // Means nothing for switches of other parts.
  std::vector<Link> towards(std::uint32_t destination) const;

  // Puts the waits of all paths over the tree into a lane that has no others.
  void add_dependencies(Layer& lane) const;

 private:
  void grow(std::uint32_t root);

  const LinkGraph* links_;
  std::vector<std::uint32_t> roots_;
  std::vector<Link> to_parent_;  // by switch; kNone: a root
};

}  // namespace fatwood
