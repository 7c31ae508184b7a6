// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Deadlock where packets change lanes on their path: each path has a service level (SL), and each
// switch maps (port in, port out, SL) to a lane. torus-2QoS of OpenSM routes like this.
//
// Model: as in deadlock.hpp, but a packet holds and waits for a channel in a lane. So there is one
// graph with a vertex for each (channel, lane).
// Method: for each destination, follow the path from each port at which packets start (a terminal's
// port, or a switch's own). Stop at a vertex that an earlier path of the same SL has visited: the
// rest is the same. Cost: O(destinations * terminals) at worst, but most paths stop after a step or
// two.
//
// Adaptive tables: follow every port of an entry, except the one that the packet came by unless it
// is the only one. One destination stands for its class (destination_classes.hpp); a second one is
// needed for the packets that the first would send to itself. Cost: O(classes * terminals * ports).

#include "verify/deadlock/deadlock.hpp"

namespace fatwood {

// find_deadlock for a routing with SL-to-VL tables (routing.sl2vl).
// REQUIRES a routing and a map of this fabric (check_size).
Deadlock find_changing_deadlock(const Fabric& fabric, const Routing& routing, Sources sources,
                                int threads);

}  // namespace fatwood
