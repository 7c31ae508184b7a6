// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Groups of next hops that leave out cables towards the owner of the addresses: a limit of paths in
// hardware or configuration, or a session that is down.
//
// Method: hops over cables from each switch to the owner; a cable to a switch one hop nearer should
// be in the group if another such cable is. Classes with several owners are left out.
// Cost: O(cables) for each owner, O(switches) for each class.

#include <string>
#include <vector>

#include "io/routes/route_classes.hpp"

namespace fatwood {

struct NarrowGroups {
  std::size_t groups = 0;   // (switch, class)
  std::size_t classes = 0;  // with such a group
  std::string first;        // "leaf1 sends 10.0.0.0/24 by 3 of 4 ports, and not by 2"
};

NarrowGroups find_narrow_groups(const Fabric& fabric, const std::vector<RouteClass>& classes);

// kNoRoute for an empty set.
Port lowest_port(const PortMask& mask);

}  // namespace fatwood
