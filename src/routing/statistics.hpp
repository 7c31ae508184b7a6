#pragma once
// What a routing amounts to, in numbers: routes there are and routes there aren't, how long they
// are, how many each lane carries. Nothing is proved here (verify does that); a route that loops
// counts as missing. Cost: O(1) a table entry, in parallel over targets.

#include <cstdint>
#include <vector>

#include "routing/routing.hpp"

namespace fatwood {

struct RouteStatistics {
  std::uint64_t routes = 0;   // (switch, target) with a whole path; a switch to itself is none
  std::uint64_t missing = 0;  // and without
  unsigned longest = 0;       // cables between switches on the longest route
  std::uint64_t terminal_pairs = 0;  // ordered pairs of terminals on different switches, routed
  std::uint64_t terminal_hops = 0;   // cables between switches on all of them (first address)
  std::vector<std::uint64_t> lane_routes;  // by lane

  double mean_hops() const {
    return terminal_pairs == 0
               ? 0
               : static_cast<double>(terminal_hops) / static_cast<double>(terminal_pairs);
  }
};

// Source routes, where there are some, are what counts: a terminal as target is its switch.
RouteStatistics route_statistics(const Fabric& fabric, const Routing& routing, int threads);

}  // namespace fatwood
