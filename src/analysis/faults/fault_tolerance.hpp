// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fault tolerance: how well a routing's alternatives replace lost links, by both definitions of
// [Chiu02] (sections 6.3 and 6.5).
//
// An alternative of an entry is ready when the tables could hold it at once: equally long, and
// together with all entries and all other ready alternatives it closes no circle of waiting
// channels. They are collected greedily: addresses in order, switches near the destination first,
// links in order. A routing that has a circle already has all its alternatives ready.
//
// For each pair (terminal, address of a terminal on another switch), over the links between
// switches of its route:
//   avoided  share of the route that the most different path over ready alternatives avoids
//   covered  links whose loss leaves a path over ready alternatives
// Paths over alternatives all have the same length, so they can be walked layer by layer: a link
// is lost for good when it is the only one of its layer.
//
// Cost: O(addresses * switches * alternatives). Large fabrics: a sample of addresses, evenly
// spread.

#include <cstdint>

#include "routing/improve/movable_routes.hpp"

namespace fatwood {

struct FaultTolerance {
  double avoided = 0;  // mean over pairs; 0 when there is none
  double covered = 0;  // share of all (pair, link of its route)
  std::uint64_t pairs = 0;
  std::uint64_t ready = 0;      // alternatives, of the addresses looked at
  std::uint32_t addresses = 0;  // looked at
};

struct ToleranceOptions {
  std::uint32_t most_addresses = 256;
  int threads = 0;
};

// Takes the routes: the waits of ready alternatives are added to them.
FaultTolerance fault_tolerance(MovableRoutes&& routes, const ToleranceOptions& options = {});

}  // namespace fatwood
