// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// For each dependency of a cycle, a pair of endpoints whose packet holds one channel and waits for
// the next. Pairs of terminals are preferred to pairs with switches; then the lowest destination,
// then the lowest source.
// Cost: one scan of the tables, and O(switches) for each destination whose routes have the
// dependency, until a pair of terminals is found.

#include <span>
#include <vector>

#include "verify/deadlock/deadlock.hpp"

namespace fatwood {

// REQUIRES a cycle of this lane's dependency graph.
std::vector<Dependency> find_witnesses(const Fabric& fabric, const Routing& routing,
                                       Sources sources, unsigned lane,
                                       std::span<const Channel> cycle);

// A source with packets to the destination that can hold the channel. REQUIRES adaptive tables of
// one lane, and a channel that such packets may take.
Endpoint find_holder(const Fabric& fabric, const Routing& routing, Sources sources, Channel held,
                     Destination destination);

}  // namespace fatwood
