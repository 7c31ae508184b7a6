// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// APOT: shortest paths over ordered links for each pair ([Chiu02], sections 4.4.1 and 7.2), in two
// forms that are equal in every distance.
//
// Problem: from one switch to every other, a shortest path whose links never descend to a lower
// layer. Such paths differ from pair to pair and need not fit forwarding tables: they are source
// routes.
//
// Heap form: Dijkstra's algorithm over states (switch, layer of the last link), taken out by
// distance and then layer. A state whose switch was taken out before in a lower or the same layer
// can do nothing that the other can't; so a state relaxes just the links between its own layer and
// the lowest one seen at its switch, and each link is relaxed once. Cost: O(links * log links) a
// source.
//
// Matrix form: q(j, k) is the length of a path to j whose last link is in layer k, with at most t
// hops; each round lets every path grow by one link of the same or a higher layer (Figure 2, with
// the least of q(j, 1..k) kept instead of found again, and ended when a round changes nothing). A
// row of the paper's matrix belongs to one source and needs no other. Cost: O(rounds * (links +
// switches * layers)) a source.
//
// Encoding: arcs of the path to switch d, in order, are arcs[first[d]] .. arcs[first[d+1]].

#include <cstdint>
#include <vector>

#include "routing/ordered/bfot.hpp"
#include "routing/ordered/ordered_links.hpp"

namespace fatwood {

struct OrderedPaths {
  std::vector<std::uint16_t> distance;  // by switch; kNoDistance: not connected
  std::vector<std::uint32_t> first;     // by switch, and the end
  std::vector<std::uint32_t> arcs;
};

OrderedPaths apot_by_heap(const OrderedLinks& links, std::uint32_t source);
OrderedPaths apot_by_matrix(const OrderedLinks& links, std::uint32_t source);

}  // namespace fatwood
