// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Everything that is proved about a routing, in one value: is each pair joined, do packets circle,
// how long are the routes and are they as short as can be, do they keep to Up*/Down*, can they
// deadlock. Of adaptive tables all of it is meant whatever their switches choose (choices.hpp,
// dependencies.hpp).

#include "topology/model.hpp"
#include "verify/adaptive/choices.hpp"
#include "verify/adaptive/coverage.hpp"
#include "verify/adaptive/packet_kinds.hpp"
#include "verify/adaptive/some_choice.hpp"
#include "verify/deadlock/deadlock.hpp"
#include "verify/reach/discarded.hpp"
#include "verify/reach/hops.hpp"
#include "verify/reach/minimality.hpp"
#include "verify/reach/reachability.hpp"
#include "verify/reach/shift.hpp"
#include "verify/reach/up_down.hpp"

namespace fatwood {

struct VerifyOptions {
  Sources sources = Sources::kAll;  // whose packets count for deadlock
  int threads = 0;                  // 0: all cores
  // Of adaptive routing, by switch; nullptr or empty if the run has none.
  const Table<Switch, AdaptiveSettings>* settings = nullptr;
};

// More checks of adaptive tables.
struct AdaptiveVerdict {
  PairCounts never;  // of the unreachable: no choice arrives
  HopCounts fewest;  // hops of the shortest choice
  std::uint64_t risky = 0;
  std::optional<RiskyPort> first_risky;
  Coverage coverage;
  // If the union of all choices has a cycle, on one lane: does it hold for some choice?
  std::optional<SomeChoice> some;
  // If something fails: does it hold for packets that keep to the default ports?
  std::optional<bool> static_holds;
  std::vector<KindVerdict> kinds;  // of packets
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
  std::optional<AdaptiveVerdict> adaptive;

  // Every pair has a route that is known, nothing circles, no deadlock.
  bool holds() const { return reachability.whole() && deadlock.free(); }
  // The same if a waiting packet may take whichever port of its group frees first.
  bool holds_for_some() const {
    return reachability.whole() &&
           (deadlock.free() || (adaptive && adaptive->some && adaptive->some->free()));
  }
  // Something fails whatever the unknown entries of the tables are.
  bool fails_surely() const {
    return reachability.unreachable.total() > 0 || reachability.loops > 0 || !deadlock.free();
  }
};

// InputError when the routing is of another fabric's size.
Verdict verify(const Model& model, const Routing& routing, const VerifyOptions& options = {});

}  // namespace fatwood
