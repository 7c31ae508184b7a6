// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Deadlock where routes change lanes on their way: a service level for each path, and at each
// switch a lane for each (port in, port out, level). torus-2QoS of OpenSM routes like this.
//
// Problem: as in deadlock.hpp, but what a packet holds and wants is a channel in a lane.
// Method: one graph whose vertices are (channel, lane), and the same searches on it. For each
// destination the path from each port that packets start at (a terminal's, or a switch's own) is
// followed until it comes to a vertex that a path of the same level has been through: from there
// on the two are one. Of adaptive tables every port of an entry is followed, but the one that a
// packet came by where there are others; one destination of each class (destination_classes.hpp)
// stands for all, and a second one for the packets that the first would send to itself. Cost:
// O(destinations * terminals) at worst, nearly all of them a step or two; adaptive O(classes *
// terminals * ports).

#include "verify/deadlock/deadlock.hpp"

namespace fatwood {

// find_deadlock for a routing that has a map of lanes (routing.sl2vl).
// REQUIRES a routing and a map of this fabric (check_size).
Deadlock find_changing_deadlock(const Fabric& fabric, const Routing& routing, Sources sources,
                                int threads);

}  // namespace fatwood
