// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Links in ordered layers, the ground of the engines of [Chiu02] (sections 4.2 and 4.3).
//
// Problem: split the cables between switches into layers so that routes that never go back to a
// lower layer can't deadlock, and every pair has one.
// Method: Kruskal's spanning forest is taken out of the links again and again; each is a layer.
// Paths inside a forest have no cycle of dependencies, and layers are never descended, so an order
// of all channels exists that every route ascends (Theorem 1). Layer 1 spans the fabric: every pair
// has a path there. The paper leaves the order of the links open, and it matters. Of eight orders
// that were tried, a breadth-first one from switch 0 was chosen: it is the one that a subnet
// manager's sweep would give, and its paths are about as long as the paper's (1.106 of the shortest
// over the 46 topologies of its Table 1, where the paper has 1.102; by switch numbers it would be
// 1.17). That agreement is therefore no test of BFOT. BFOT+ gives Kruskal the links between
// well-connected switches first.
// Encoding: arcs (directions of a cable) of switch s are first[s] .. first[s+1], by layer and then
// port. A layer takes a link of every switch that has one left, so there are no more layers than
// ports on the largest switch. Cost: O(layers * links).

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
  std::vector<Port> port;              // by arc: where it leaves its switch
};

enum class LinkOrder : std::uint8_t {
  kBySweep,   // BFOT: as a breadth-first sweep from the first switch finds them
  kByDegree,  // BFOT+: switches are ranked by their links (equal numbers, equal rank), a link has
              // the sum of its ends' ranks, and the lowest sum comes first
};

OrderedLinks order_links(const Fabric& fabric, LinkOrder order);

// The same from layers given by hand, for tests: ports count from 1 in order of the list.
struct LayeredLink {
  std::uint32_t a, b;
  std::uint8_t layer;
};
OrderedLinks order_links(std::uint32_t switches, std::span<const LayeredLink> links);

}  // namespace fatwood
