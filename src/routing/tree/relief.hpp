// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Takes destinations off the fullest climbing channels of a routed tree that has lost cables.
//
// Problem: a leaf with one cable to a spine where others have two sends as many destinations that
// way as they do, and its one cable carries twice what its other cables do. The plan of ftree
// shares channels that descend; what a single switch has upwards is known when all rows are laid.
// Method: count the destinations of each channel as counted terminals use it. The bound of a level
// is the largest fair share of its switches: what one carries upwards over its cables. Where a
// switch has a channel above the bound, it sends some of its destinations by another that carries
// less, if the route there is as long and no channel beyond that it newly uses gets more than the
// bound of its level (upwards), or than the fullest of its level has already (downwards).
// Legal as before: a climb is replaced by another climb, or by a descent to the end. At last the
// parallel cables of leaves are evened out by the targets that do not count.
// Cost: nothing on trees whose switches have even cables upwards; else O(1) a table entry in use.

#include <cstdint>

#include "routing/tables/routing.hpp"
#include "routing/tree/climb.hpp"
#include "topology/model.hpp"

namespace fatwood {

// Of the terminals that count, those on leaf switches are looked at. Hosts on a spine send
// all they have down from there, which says nothing of the spine beside it.
// `rank`: of switches in the order by which the routes are legal, 0 the highest.
void relieve_climbs(const Model& model, const TreeClimb& climb,
                    const Table<Switch, std::uint32_t>& rank, int threads,
                    ForwardingTables& tables);

}  // namespace fatwood
