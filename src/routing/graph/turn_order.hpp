// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A total order of the switches for Up*/Down*: "up" is towards an earlier switch. No cycle of
// channels can have all its turns legal, since its latest switch is entered down and left up.
//
// Problem: with the many roots of a fat-tree side by side at the top, a root can't reach another
// one: the path leads down and up again. All pairs need every switch but the first to have an
// earlier neighbour: then all go up to the same one.
// Method: take the order by (rank, number). Where several switches have no earlier neighbour (the
// roots), one switch far below all of them, the joint, comes first, then all switches above it, the
// lowest first, then the rest by (rank, number). That reverses the cables above one leaf and costs
// no shortest path between leaves: it is Up*/Down* with that leaf as its root. (Algorithm 1 of
// [Bogdanski12] joins the switches of ftree by such a leaf.)
// Encoding: position[s], 0 for the first. Each part of a fabric in pieces has a joint of its own.
// Cost: O(cables * roots / 64).

#include <optional>

#include "topology/graph/port_graph.hpp"

namespace fatwood {

using Position = Table<Switch, std::uint32_t>;

// `avoid` becomes a joint only where there is no other.
Position joined_order(const PortGraph& graph, const Table<Switch, std::uint32_t>& rank,
                      std::optional<Switch> avoid);

// Hops to the nearest of some switches; all others' parts get their own centre: the switch with
// the least largest distance, then the least sum, then the lowest number.
Table<Switch, std::uint32_t> rank_from(const PortGraph& graph, std::vector<Switch> roots,
                                       int threads);

// The hops left from each switch to each other by legal paths, as balance() takes them. A switch
// that can go down all the way does, since it may have been entered from above; any other goes up
// to the nearest that is best off. `graph` has the groups of its order (order_groups).
// Cost: O(switches * cables).
std::vector<std::uint16_t> legal_distances(const PortGraph& graph, const Position& position,
                                           int threads);

}  // namespace fatwood
