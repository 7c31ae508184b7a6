// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A total order of the switches for up*/down*: "up" is towards an earlier switch. No cycle of
// channels has only legal turns, because its latest switch is entered down and left up.
//
// Problem: a fat-tree has many roots side by side. A root cannot reach another one, because the
// path leads down and up again. All pairs have a path if every switch but the first has an earlier
// neighbour: then all can go up to the first.
// Method: start with the order by (rank, number). If several switches have no earlier neighbour
// (the roots), the order becomes: first the joint, one switch far below all roots; then the
// switches above the joint, the lowest first; then the rest by (rank, number). This reverses the
// cables above one leaf and costs no shortest path between leaves: it is up*/down* with that leaf
// as root. (Algorithm 1 of [Bogdanski12] connects the switches of ftree by such a leaf.) Encoding:
// position[s], 0 for the first. Each component of a disconnected fabric has its own joint. Cost:
// O(cables * roots / 64).

#include <optional>

#include "topology/graph/port_graph.hpp"

namespace fatwood {

using Position = Table<Switch, std::uint32_t>;

// `avoid` becomes a joint only if there is no other choice.
Position joined_order(const PortGraph& graph, const Table<Switch, std::uint32_t>& rank,
                      std::optional<Switch> avoid);

// Hops to the nearest root. A component without a root uses its centre instead: the switch with the
// smallest maximum distance, then the smallest sum, then the lowest number.
Table<Switch, std::uint32_t> rank_from(const PortGraph& graph, std::vector<Switch> roots,
                                       int threads);

// The hops left from each switch to each other over legal paths, as balance() expects them. A
// switch with a path that only goes down takes it, because packets may have come from above. Any
// other goes up to a neighbour with the fewest hops left. `graph` has the groups of its order
// (order_groups). Cost: O(switches * cables).
std::vector<std::uint16_t> legal_distances(const PortGraph& graph, const Position& position,
                                           int threads);

}  // namespace fatwood
