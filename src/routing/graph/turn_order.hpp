// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A total order of the switches for up*/down* in which every pair has a legal path. "Up" is towards
// an earlier switch. Legal paths cannot deadlock: a cycle of channels would enter its latest switch
// down and leave it up, which is not legal.
//
// Problem: a fat-tree has many roots side by side. A root cannot reach another one, because the
// path leads down and up again. If every switch but the first has an earlier neighbour, all pairs
// have a path: all switches can go up to the first.
// Method: start with the order by (rank, number). If several switches have no earlier neighbour
// (the roots), the order becomes: first the joint, a switch far below all roots; then the switches
// above the joint, the lowest first; then the rest by (rank, number). This reverses the cables
// above one leaf. It costs no shortest path between leaves, because it is up*/down* with that leaf
// as root. (Algorithm 1 of [Bogdanski12] connects the switches of ftree by such a leaf.) Each
// component of a disconnected fabric has its own joint.
// Encoding: position[s], 0 for the first. Cost: O(cables * roots / 64).

#include <cstdint>
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

// Which switches use a path that only goes down: all that have one, as in ftree, or those that
// packets reach from above. The others then use a shortest path, and of equally short ones those
// that go up: in a damaged tree some switches have a single cable that only this order calls down,
// and all traffic would take it.
enum class DownPaths : std::uint8_t { kAlways, kFromAbove };

// The remaining hops from each switch to each other over legal paths, as balance() expects them.
// The trunks of `graph` are sorted by this order (order_trunks). Cost: O(switches * cables).
std::vector<std::uint16_t> legal_distances(const PortGraph& graph, const Position& position,
                                           DownPaths down, int threads);

}  // namespace fatwood
