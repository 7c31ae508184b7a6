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
// A layer takes a link of every switch that has one left, so there are at most as many layers as
// ports on the largest switch. Cost: O(layers * links).

#include <cstdint>

#include "topology/graph/link_graph.hpp"

namespace fatwood {

// By channel, from 1; both directions of a cable have the same layer. 0: not between two switches.
using LinkLayers = Table<Channel, std::uint8_t>;

enum class LinkOrder : std::uint8_t {
  kBySweep,   // BFOT: as a breadth-first sweep from the first switch finds them
  kByDegree,  // BFOT+: rank switches by their number of links (equal numbers, equal rank); links
              // with the smallest sum of ranks come first
};

LinkLayers find_layers(const Fabric& fabric, LinkOrder order);

// The links of each switch by layer, then port.
struct OrderedLinks : LinkGraph {
  std::uint32_t layers = 0;
  Table<Link, std::uint8_t> layer;
};
OrderedLinks order_links(const Fabric& fabric, const LinkLayers& layers);
inline OrderedLinks order_links(const Fabric& fabric, LinkOrder order) {
  return order_links(fabric, find_layers(fabric, order));
}

}  // namespace fatwood
