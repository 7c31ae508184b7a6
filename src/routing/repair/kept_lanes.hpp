// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lanes for repaired tables that keep the lane of every route they can.
//
// Problem: tables of dfsssp or lash are free of deadlock because routes are spread over lanes. A
// few routes are new: which lanes take them, so that no lane has a cycle of waits?
// Method: routes that have not changed go into their old lanes, all of them, since part of what
// had no cycle has none. Then each changed route, by destination and from it outwards: into its old
// lane if the waits it adds close no cycle there (layers.hpp), else into the first that takes it,
// else into a new one. Result: lanes of each (source switch, destination), equal rows stored once;
// the caller proves them. Cost: O(1) per table entry, and the search of each new wait.

#include <optional>

#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct KeptLanes {
  Lanes lanes;
  std::uint64_t changed = 0;  // routes of a switch to a destination in another lane than before
};

// Nothing when more than `most` lanes would be needed. REQUIRES tables of one size and LMC, of this
// fabric, without loops.
std::optional<KeptLanes> keep_lanes(const Model& model, const Routing& old,
                                    const ForwardingTables& now, unsigned most);

}  // namespace fatwood
