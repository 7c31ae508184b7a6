// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Pairs whose packets are discarded although the tables lead to the destination: VL 15 is reserved
// for management, and a switch discards a data packet whose SL is mapped to it.
//
// Method: if an SL in use is mapped to VL 15 anywhere, follow every choice and check the VL of each
// step between switches. A pair counts if every choice arrives but some choice uses VL 15.
// Cost: none if no SL is mapped to VL 15; otherwise O(destinations * (terminals + ports of all
// entries * SLs)).

#include <optional>

#include "verify/reach/pairs.hpp"
#include "verify/reach/reachability.hpp"

namespace fatwood {

inline constexpr unsigned kManagementLane = 15;

struct Discarded {
  PairCounts pairs;
  std::optional<LostPair> first;  // lowest destination; terminals before switches as sources
};

// REQUIRES a routing of this fabric's size (check_size).
Discarded find_discarded(const Fabric& fabric, const Routing& routing);

}  // namespace fatwood
