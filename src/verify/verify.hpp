// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Everything that is proved about a routing, in one value: is each pair joined, do packets circle,
// how long are the routes and are they as short as can be, do they keep to Up*/Down*, can they
// deadlock.

#include "topology/model.hpp"
#include "verify/deadlock.hpp"
#include "verify/discarded.hpp"
#include "verify/hops.hpp"
#include "verify/minimality.hpp"
#include "verify/reachability.hpp"
#include "verify/shift.hpp"
#include "verify/up_down.hpp"

namespace fatwood {

struct VerifyOptions {
  Sources sources = Sources::kAll;  // whose packets count for deadlock
  int threads = 0;                  // 0: all cores
};

struct Verdict {
  Reachability reachability;  // what is discarded counts as unreachable
  Discarded discarded;
  HopCounts hops;
  Minimality minimality;
  std::optional<UpDown> up_down;  // when the fabric is like a tree and the routes are in tables
  std::string no_levels;          // else why not
  Deadlock deadlock;
  DeadlockTiers tiers;

  // Every pair has a route, nothing circles, no deadlock.
  bool holds() const { return reachability.whole() && deadlock.free(); }
};

// InputError when the routing is of another fabric's size.
Verdict verify(const Model& model, const Routing& routing, const VerifyOptions& options = {});

}  // namespace fatwood
