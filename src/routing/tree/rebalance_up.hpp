// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Moves destinations off the most loaded up channels of a routed tree that has lost cables.
//
// Problem: a leaf has one cable to a spine to which other leaves have two, but sends as many
// destinations over that spine. So this cable carries twice the load of the leaf's other cables.
// The descents of ftree balance down channels; the load of up channels is known only after all rows
// are written.
// Method:
// 1. Count the destinations of each channel, as counted terminals use it.
// 2. The bound of a level is the largest fair share of its switches: up load divided by up cables.
// 3. A switch with a channel above the bound moves destinations to another channel with less load,
//    if the route is as long, and no channel on the new path exceeds the bound of its level (up) or
//    the present maximum of its level (down).
// 4. Finally, balance the parallel cables of leaves with the destinations that are not counted.
// Routes stay legal: an up hop is replaced by another up hop, or by a path that only goes down.
// Cost: none on trees whose switches have even up cables; otherwise O(1) per table entry in use.

#include <cstdint>

#include "routing/tree/rows.hpp"

namespace fatwood {

// Only counted terminals on leaves are considered: hosts on a spine send down from there, and load
// no up channel. `rank`: position of each switch in the order by which the routes are legal; 0 is
// the highest.
void rebalance_up_links(const Model& model, const Table<Switch, std::uint32_t>& rank,
                        TreeRouting& tree);

}  // namespace fatwood
