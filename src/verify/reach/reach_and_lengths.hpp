// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Reachability and minimality in one pass over the tables: both follow the tree of every
// destination.
// Cost: that of reachability.hpp, and hop_counts() of all switches (2 bytes for each pair).

#include "verify/reach/minimality.hpp"
#include "verify/reach/reachability.hpp"

namespace fatwood {

struct ReachAndLengths {
  Reachability reachability;
  Minimality minimality;
};

// REQUIRES a routing of this fabric's size (check_size).
ReachAndLengths find_reach_and_lengths(const Fabric& fabric, const Routing& routing,
                                       int threads = 0);

}  // namespace fatwood
