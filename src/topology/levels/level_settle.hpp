// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Peeling and settling: steps 2 and 3 of levels.hpp.

#include "topology/graph/port_graph.hpp"
#include "topology/levels/level_seeds.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood {

// Level k+1 has the switches with at least a fifth of their cables to level k. If there are none,
// it has those with the largest fraction. A component without seeds has only level 1.
Table<Switch, Level> levels_by_peeling(const PortGraph& graph, const LevelSeeds& seeds);

// Corrects the result of peeling, in passes over all switches until none moves.
//
// A switch is in doubt if (nearly) all its cables lead to one level n: levels n-1 and n+1 then
// explain its cables equally well. Two switches resemble each other if they have the same
// neighbours (Jaccard index). The first rule that applies decides:
// - its neighbours have no other children: n-1;
// - it resembles a switch of n+1 more than any of n-1, by a margin: n+1;
// - most of its neighbours are not those of any switch of n-1: n+1;
// - its number of ports is usual at only one of the two levels: that level;
// - it resembles a switch of n-1 more than any of n+1, by a margin, or n+1 is empty there: n-1;
// - it has nearly the same neighbours as a switch of n-1: n-1 (a leaf without terminals),
//   unless it is a board in one chassis with its neighbours: n+1;
// - otherwise: the level whose most similar switch has a more similar number of cables.
//
// A switch that is not in doubt takes the level with the fewest horizontal cables, level-skipping
// cables, and host cables above level 1. Leaves with many terminals never move; those with few are
// in doubt.
Table<Switch, Level> settle(const Fabric& fabric, const PortGraph& graph, const LevelSeeds& seeds,
                            Table<Switch, Level> level);

}  // namespace fatwood
