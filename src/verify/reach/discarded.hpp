// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Pairs whose packets are thrown away on their way although the tables lead them home: lane 15 is
// for management alone, and a data packet whose level is mapped to it is discarded.
//
// Method: every path is walked, and the lane of each step between switches looked at; only when
// some level that a path has is mapped to that lane at all. Of adaptive tables, a pair is discarded
// that arrives whatever is chosen, where some choice comes into that lane.
// Cost: O(destinations * terminals * hops) then; adaptive O(destinations * (terminals + ports of
// all entries
// * levels)).

#include <optional>

#include "verify/reach/pairs.hpp"
#include "verify/reach/reachability.hpp"

namespace fatwood {

inline constexpr unsigned kManagementLane = 15;

struct Discarded {
  PairCounts pairs;
  std::optional<LostPair> first;  // of the lowest destination, terminals as sources before switches
};

// REQUIRES a routing of this fabric's size (check_size).
Discarded find_discarded(const Fabric& fabric, const Routing& routing);

}  // namespace fatwood
