// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A slow look at a routing: follows every (source switch, destination) hop by hop over the fabric's
// own ports, collects which channel waits for which in each lane, and searches cycles by depth
// first. Shares nothing with the engines or the verifier.

#include <cstdint>
#include <vector>

#include "routing/tables/routing.hpp"

namespace fatwood::oracle {

struct RouteFindings {
  std::uint64_t routes = 0;            // (source switch, destination) with a whole path
  std::uint64_t missing_terminal = 0;  // no path from some switch to a terminal's address
  std::uint64_t missing_switch = 0;    // no path from some switch to a switch
  std::uint64_t loops = 0;
  std::uint64_t longer = 0;  // routes with more hops than the fewest
  unsigned hops = 0;         // switch to switch cables on the longest
  unsigned lanes = 0;        // used
  bool deadlock_free = false;
};

// Channels a packet takes from a switch to a destination, the last one to the terminal included.
// Empty with ok = false when it ends nowhere or loops.
struct Walk {
  bool ok = false;
  bool loop = false;
  std::vector<Channel> channels;
};
Walk walk(const Fabric& fabric, const Routing& routing, Switch source, Destination destination);

RouteFindings look_at_routes(const Fabric& fabric, const Routing& routing);

}  // namespace fatwood::oracle
