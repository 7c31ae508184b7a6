// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A pair for each dependency of a cycle: whose packet holds one channel and wants the next.
// Pairs of terminals are preferred to pairs with switches; then the lowest destination, then the
// lowest source. Cost: one scan of the tables, and O(switches) for each destination whose route has
// the dependency, until a pair of terminals is found.

#include <span>
#include <vector>

#include "verify/deadlock/deadlock.hpp"

namespace fatwood {

// REQUIRES a cycle of this lane's dependency graph.
std::vector<Dependency> find_witnesses(const Fabric& fabric, const Routing& routing,
                                       Sources sources, unsigned lane,
                                       std::span<const Channel> cycle);

// A source some of whose packets to the destination hold the channel. REQUIRES adaptive tables of
// one lane, and a channel that such packets may take.
Endpoint find_holder(const Fabric& fabric, const Routing& routing, Sources sources, Channel held,
                     Destination destination);

}  // namespace fatwood
