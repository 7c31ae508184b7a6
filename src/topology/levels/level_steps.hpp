// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The steps of find_levels (levels.hpp), for its files only.

#include <vector>

#include "topology/levels/levels.hpp"

namespace fatwood {

// Step 1, level_seeds.cpp: the leaves to start from.
struct LevelSeeds {
  Table<Switch, std::uint32_t> terminals;  // by switch, without aggregation adapters
  Table<Switch, std::uint8_t> leaf;        // 1: a seed
  Table<Switch, std::uint8_t> lifted;      // 1: has terminals but is above the leaves
};

// In a component without terminals, free ports count as future terminals.
// REQUIRES aggregation from aggregation_terminals().
LevelSeeds level_seeds(const Fabric& fabric, const PortGraph& graph, const Components& components,
                       const Table<Terminal, std::uint8_t>& aggregation);

// Step 2, level_settle.cpp: peeling.
// Level k+1 has the switches with at least a fifth of their cables to level k. If there are none,
// it has those with the largest fraction. A component without seeds has only level 1.
Table<Switch, Level> levels_by_peeling(const PortGraph& graph, const LevelSeeds& seeds);

// Step 3, level_settle.cpp: settling. Corrects the result of peeling, in passes over all switches
// until none moves.
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

// Step 4, level_meeting.cpp: do any two leaves have a common ancestor? Here a leaf is a switch with
// terminals, whatever its level. In a component without terminals, it is a switch of level 1.
//
// Method: visit all switches above a leaf, then all below these. The leaves of its component that
// were not visited have no common ancestor with it. A pair of twins (two leaves cabled to each
// other, and to no other switch of level 1) counts as connected. The search starts from at most
// kSampledLeaves leaves, evenly spread, and from at least one per component. Cost: O(cables) per
// start.
struct Meeting {
  std::uint64_t seen = 0, disconnected = 0;     // leaf pairs
  Switch a = kNone<Switch>, b = kNone<Switch>;  // a disconnected pair
  bool terminals = false;                       // the component has terminals
  bool sideways = false;                        // a cable within a level, except between twins
  bool horizontal = false;                      // the same, those included
};

// One per connected component.
std::vector<Meeting> leaf_meetings(const PortGraph& graph, const Components& components,
                                   const Table<Switch, std::uint32_t>& terminals,
                                   const Table<Switch, Level>& level);

}  // namespace fatwood
