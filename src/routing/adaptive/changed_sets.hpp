// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Port sets made from others: with groups on some switches only, or with all entries in one state.
// Cost: O(destinations * switches).

#include "routing/tables/routing.hpp"

namespace fatwood {

// The sets of the routing with static entries on all switches but those marked.
PortSets sets_only_at(const Fabric& fabric, const Routing& routing,
                      const Table<Switch, std::uint8_t>& marked);
// The same with entries that are not static in this state. REQUIRES one that is not static.
PortSets sets_in_state(const Fabric& fabric, const Routing& routing, EntryState state);

}  // namespace fatwood
