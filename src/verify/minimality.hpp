// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Are routes as short as the cables allow?
//
// Method: targets are taken by the switch that has them, so that one breadth-first search gives
// the least hops for all of them. Cost: O(switches * cables) for the searches (ft(48,3): 0.3 s on
// two cores) and O(targets * switches) for the comparison, in parallel over destination switches.

#include <cstdint>
#include <optional>

#include "verify/pairs.hpp"

namespace fatwood {

struct Minimality {
  PairCounts longer;  // pairs whose route takes more hops than the fewest
  // Between terminals that have a route, over all pairs:
  std::uint64_t hops = 0;
  std::uint64_t least_hops = 0;
  std::uint32_t worst_excess = 0;  // hops more than the fewest, of any route

  bool minimal() const { return longer.total() == 0; }
  double stretch() const {  // 1 when there is no hop at all
    return least_hops == 0 ? 1 : static_cast<double>(hops) / static_cast<double>(least_hops);
  }
};

// REQUIRES a routing of this fabric's size (check_size).
Minimality find_minimality(const Fabric& fabric, const Routing& routing, int threads = 0);

}  // namespace fatwood
