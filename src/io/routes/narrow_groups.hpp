// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Groups of next hops that leave out cables towards the owner of the addresses: a limit of paths in
// hardware or configuration, or a session that is down.
//
// Method: hops over cables from each switch to the owner; a cable to a switch one hop nearer should
// be in the group if another such cable is. Classes with several owners are left out.
// Cost: O(cables) for each owner, O(switches) for each class.

#include <vector>

#include "io/routes/route_classes.hpp"
#include "routing/tables/prefixes.hpp"

namespace fatwood {

// Fills in the groups: all are counted, the first 1,000 are listed.
void find_narrow_groups(const Fabric& fabric, const std::vector<RouteClass>& classes,
                        Prefixes& found);

// kNoRoute for an empty set.
Port lowest_port(const PortMask& mask);

}  // namespace fatwood
