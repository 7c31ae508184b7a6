// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Peeling and settling: steps 2 and 3 of levels.hpp.

#include "topology/graph/switch_net.hpp"
#include "topology/levels/level_seeds.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood {

// Level k+1: switches with a fifth of their cables to level k; when no switch has, those with the
// largest share. A part without seeds is all level 1.
Table<Switch, Level> levels_by_peeling(const SwitchNet& net, const LevelSeeds& seeds);

// Puts right what peeling got wrong, a pass over all switches at a time until none moves.
//
// A switch in doubt has (nearly) all cables to one level n, so that n-1 and n+1 cost the same:
//  - above nothing (its neighbours have no other children): n-1;
//  - its neighbours are those of some switch of n-1 rather than of any of n+1: n-1, and the other
//    way round (Jaccard's measure, with a margin);
//  - it resembles no switch of n-1: n+1;
//  - else the level whose switches have its number of ports, then likeness, then the level that
//    lacks fewer cables with it there. Like both, it is a leaf without hosts rather than a core,
//    unless it is a board in one chassis with its neighbours.
// Any other switch: the level with the fewest horizontal, skipping and host cables above level 1.
// Leaves with many hosts never move; those with few are in doubt like the rest.
Table<Switch, Level> settle(const Fabric& fabric, const SwitchNet& net, const LevelSeeds& seeds,
                            Table<Switch, Level> level);

}  // namespace fatwood
