// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Derives port sets from others: with groups on some switches only, or with the same state in all
// entries. Cost: O(destinations * switches).

#include "routing/tables/routing.hpp"

namespace fatwood {

// The sets of the routing, with static entries on all unmarked switches.
PortSets sets_only_at(const Fabric& fabric, const Routing& routing,
                      const Table<Switch, std::uint8_t>& marked);
// The sets of the routing, with this state for all entries that are not static. REQUIRES a state
// other than static.
PortSets sets_in_state(const Fabric& fabric, const Routing& routing, EntryState state);

}  // namespace fatwood
