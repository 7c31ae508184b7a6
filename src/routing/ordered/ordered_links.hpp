// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Links in ordered layers, the basis of the engines of [Chiu02] (sections 4.2 and 4.3).
//
// Problem: divide the cables between switches into layers. Routes that never return to a lower
// layer must be free of deadlock, and every pair must have such a route.
// Method: remove Kruskal's spanning forest from the links repeatedly; each forest is a layer. Paths
// inside a forest have no cycle of dependencies, and routes never descend to a lower layer. So
// there is an order of channels that every route follows (Theorem 1). Layer 1 spans the fabric, so
// every pair has a path.
//
// Order of links: the paper leaves it open, and it changes path lengths. We take a breadth-first
// order from switch 0, as a subnet manager's sweep would find it. We chose it among eight orders
// because its paths are about as long as the paper's (1.106 of the shortest over the 46 topologies
// of its Table 1; the paper has 1.102; by switch numbers it is 1.17). Because of this choice, equal
// lengths are no evidence that our BFOT is right. BFOT+ gives Kruskal the links between
// well-connected switches first.
//
// Encoding: an arc is one direction of a cable. The arcs of switch s are first[s] .. first[s+1], by
// layer, then port. A layer takes a link of every switch that has one left, so there are at most as
// many layers as ports on the largest switch. Cost: O(layers * links).

#include <cstdint>
#include <span>
#include <vector>

#include "topology/fabric.hpp"

namespace fatwood {

struct OrderedLinks {
  std::uint32_t switches = 0;
  std::uint32_t layers = 0;            // numbered from 1
  std::vector<std::uint32_t> first;    // by switch, and the end
  std::vector<std::uint32_t> from;     // by arc: a switch number
  std::vector<std::uint32_t> to;       // by arc: a switch number
  std::vector<std::uint32_t> reverse;  // by arc: the other direction of the cable
  std::vector<std::uint8_t> layer;     // by arc
  std::vector<Port> port;              // by arc: the port by which it leaves its switch
};

enum class LinkOrder : std::uint8_t {
  kBySweep,   // BFOT: as a breadth-first sweep from the first switch finds them
  kByDegree,  // BFOT+: rank switches by their number of links (equal numbers, equal rank); links
              // with the smallest sum of ranks come first
};

OrderedLinks order_links(const Fabric& fabric, LinkOrder order);

// From given layers, for tests. Ports are numbered from 1 in order of the list.
struct LayeredLink {
  std::uint32_t a, b;
  std::uint8_t layer;
};
OrderedLinks order_links(std::uint32_t switches, std::span<const LayeredLink> links);

}  // namespace fatwood
