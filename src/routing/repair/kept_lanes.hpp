// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Assigns lanes to repaired tables, such that most routes keep their lane.
//
// Problem: tables of dfsssp or lash are free of deadlock because routes are spread over lanes.
// Which lanes can take the changed routes, so that no lane gets a cycle of dependencies? Method:
// 1. All unchanged routes keep their lanes. A part of a graph without cycles has no cycle.
// 2. Each changed route, by destination and from it outwards, keeps its lane if its dependencies
//    close no cycle there (layers.hpp). Otherwise it takes the first lane that accepts it, or else
//    a new one.
// The caller proves the result. Equal rows of lanes are stored once.
// Cost: O(1) per table entry, and a search for each new dependency.

#include <optional>

#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct KeptLanes {
  Lanes lanes;
  std::uint64_t changed = 0;  // routes (switch, destination) that changed their lane
};

// No value if more than `most` lanes are needed. REQUIRES tables of one size and LMC, of this
// fabric, without loops.
std::optional<KeptLanes> keep_lanes(const Model& model, const Routing& old,
                                    const ForwardingTables& now, unsigned most);

}  // namespace fatwood
