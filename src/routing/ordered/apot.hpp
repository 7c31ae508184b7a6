// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// APOT: shortest paths over ordered links for each pair ([Chiu02], sections 4.4.1 and 7.2).
//
// Problem: from one switch to every other, find a shortest path whose links never descend to a
// lower layer (ordered_links.hpp). The paths of two pairs may leave a switch differently towards
// the same destination, so they do not fit forwarding tables: they are source routes.
//
// There are two implementations, with equal distances:
//
// Heap: Dijkstra's algorithm over states (switch, layer of the last link), by distance, then layer.
// A state is useless if its switch was settled before in the same or a lower layer. So a state
// relaxes only the links between its own layer and the lowest one seen at its switch, and each link
// is relaxed once. Cost: O(links * log links) per source.
//
// Matrix: q(j, k) is the length of a path to j with at most t hops whose last link is in layer k.
// In each round every path grows by one link of the same or a higher layer (Figure 2). Unlike the
// paper, we store the minimum of q(j, 1..k) instead of searching it, and stop when a round changes
// nothing. Each source is one row of the paper's matrix and needs no other row.
// Cost: O(rounds * (links + switches * layers)) per source.
//
// Encoding: the links of the path to switch d, in order, are links[first[d]] .. links[first[d+1]].

#include <cstdint>
#include <vector>

#include "routing/ordered/bfot.hpp"
#include "routing/ordered/ordered_links.hpp"

namespace fatwood {

struct OrderedPaths {
  std::vector<std::uint16_t> distance;  // by switch; kNoDistance: disconnected
  std::vector<std::uint32_t> first;     // by switch, and the end
  std::vector<Link> links;
};

OrderedPaths apot_by_heap(const OrderedLinks& links, std::uint32_t source);
OrderedPaths apot_by_matrix(const OrderedLinks& links, std::uint32_t source);

}  // namespace fatwood
