// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Assigns VLs to repaired tables so that most routes keep theirs.
//
// Problem: tables of dfsssp or lash are free of deadlock because routes are spread over VLs. Which
// VLs can take the changed routes, so that none gets a cycle of dependencies?
//
// Method:
// 1. All unchanged routes keep their VLs. This closes no cycle: their dependencies are part of the
//    old graph, which had none.
// 2. Changed routes are added by destination, those near the destination first. A route keeps its
//    VL if its dependencies close no cycle there (layers.hpp). Otherwise it takes the first VL that
//    accepts it, or else a new one.
// Routes that need a common VL (source_groups.hpp) count as changed if one of them is.
// The caller proves the result. Equal rows are stored once.
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
                                    const ForwardingTables& after, unsigned most);

}  // namespace fatwood
