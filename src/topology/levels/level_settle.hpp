// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Peeling and settling: steps 2 and 3 of levels.hpp.

#include "topology/graph/switch_net.hpp"
#include "topology/levels/level_seeds.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood {

// Level k+1: switches with a fifth of their cables to level k; if there are none, those with the
// largest fraction. A component without seeds has only level 1.
Table<Switch, Level> levels_by_peeling(const SwitchNet& net, const LevelSeeds& seeds);

// Corrects the result of peeling, in passes over all switches until none moves.
//
// A switch is in doubt if (nearly) all its cables lead to one level n, so that n-1 and n+1 are
// equally good. The first rule that applies decides:
//  - it is above nothing (its neighbours have no other children): n-1;
//  - its neighbours resemble those of some switch of n-1 more than those of any of n+1: n-1; and
//    vice versa (Jaccard index, with a margin);
//  - it resembles no switch of n-1: n+1;
//  - the level whose switches have as many ports, then the more similar level, then the level that
//    lacks fewer cables if it is there. If it resembles both, it is a leaf without hosts, not a
//    core, unless it is a board in one chassis with its neighbours.
// Any other switch takes the level with the fewest horizontal cables, level-skipping cables, and
// host cables above level 1. Leaves with many hosts never move; those with few are in doubt.
Table<Switch, Level> settle(const Fabric& fabric, const SwitchNet& net, const LevelSeeds& seeds,
                            Table<Switch, Level> level);

}  // namespace fatwood
