// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fault tolerance: how well the alternatives of a routing replace lost links, by both definitions
// of [Chiu02] (sections 6.3 and 6.5).
//
// An alternative of an entry is ready if the tables could use it at once: it is equally long, and
// closes no cycle of dependencies together with all entries and all other ready alternatives. Ready
// alternatives are collected greedily: addresses in order, switches near the destination first,
// links in order. If a routing already has a cycle, all its alternatives count as ready.
//
// For each pair (terminal, address of a terminal on another switch), over the links between
// switches of its route:
//   avoided  fraction of the route that the most different path over ready alternatives avoids
//   covered  links whose loss leaves a path over ready alternatives
// Paths over alternatives have equal lengths, so they can be followed layer by layer. The loss of a
// link disconnects a pair if it is the only one of its layer.
//
// Cost: O(addresses * switches * alternatives). Large fabrics: a sample of addresses, evenly
// spread.

#include <cstdint>

#include "routing/improve/movable_routes.hpp"

namespace fatwood {

struct FaultTolerance {
  double avoided = 0;  // mean over pairs; 0 if there are none
  double covered = 0;  // fraction of all (pair, link of its route)
  std::uint64_t pairs = 0;
  std::uint64_t ready = 0;      // alternatives of the examined addresses
  std::uint32_t addresses = 0;  // examined
};

struct ToleranceOptions {
  std::uint32_t most_addresses = 256;
  int threads = 0;
};

// Consumes the routes: dependencies of ready alternatives are added to them.
FaultTolerance fault_tolerance(MovableRoutes&& routes, const ToleranceOptions& options = {});

}  // namespace fatwood
