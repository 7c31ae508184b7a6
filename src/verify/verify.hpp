// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Everything that is proved about a routing, in one value. Does every pair have a route? Do packets
// loop? How long are routes, and are they shortest? Do they follow up*/down*? Can they deadlock?
//
// For adaptive tables each answer holds for every choice of the switches (choices.hpp,
// dependencies.hpp).

#include "topology/model.hpp"
#include "verify/adaptive/choices.hpp"
#include "verify/adaptive/coverage.hpp"
#include "verify/adaptive/packet_kinds.hpp"
#include "verify/adaptive/some_choice.hpp"
#include "verify/deadlock/all_levels.hpp"
#include "verify/deadlock/deadlock.hpp"
#include "verify/priorities/priorities.hpp"
#include "verify/reach/discarded.hpp"
#include "verify/reach/hops.hpp"
#include "verify/reach/minimality.hpp"
#include "verify/reach/reachability.hpp"
#include "verify/reach/turning_routes.hpp"

namespace fatwood {

struct VerifyOptions {
  Sources sources = Sources::kAll;  // whose packets are checked for deadlock
  int threads = 0;                  // 0: all cores
  // Priorities of Ethernet ports; nullptr: not of Ethernet. May be empty: not known.
  const PortPriorities* priorities = nullptr;
  // Settings of adaptive routing by switch; nullptr or empty if unknown.
  const Table<Switch, AdaptiveSettings>* settings = nullptr;
};

// More checks of adaptive tables.
struct AdaptiveVerdict {
  PairCounts never;  // unreachable pairs that no choice connects
  HopCounts fewest;  // hops of the shortest choice
  std::uint64_t risky = 0;
  std::optional<RiskyPort> first_risky;
  Coverage coverage;
  // Set if the union of all choices has a cycle and there is one lane: the weaker proof for packets
  // that may choose again while they wait.
  std::optional<SomeChoice> some = {};
  // Set if a check fails: does it hold for packets that take only the default ports?
  std::optional<bool> static_holds = {};
  std::vector<KindVerdict> kinds = {};  // by kind of packet
};

struct Verdict {
  Reachability reachability;  // discarded pairs count as unreachable
  HopCounts hops;
  Minimality minimality;
  std::optional<UpDown> up_down;  // if the fabric is like a tree and the routes are in tables
  std::string no_levels;          // otherwise the reason
  Discarded discarded = {};
  Deadlock deadlock = {};
  DeadlockTiers tiers = {};
  std::optional<AdaptiveVerdict> adaptive = {};
  // If SL-to-VL tables are given without the SLs of paths: `deadlock` is that of all of them.
  std::optional<AllLevels> levels = {};
  // Of Ethernet. If settings are given, `tiers` are by priority, too, and `deadlock` is what would
  // be if all packets had one priority that pauses everywhere.
  std::optional<PrioritiesVerdict> priorities = {};

  bool deadlock_free() const {
    return priorities && priorities->given ? priorities->free() : deadlock.free();
  }
  // Every pair has a known route, nothing loops, nothing deadlocks.
  bool holds() const { return reachability.whole() && deadlock_free(); }
  // The same if a waiting packet may take whichever port of its group becomes free first.
  bool holds_for_some() const {
    return reachability.whole() &&
           (deadlock_free() || (adaptive && adaptive->some && adaptive->some->free()));
  }
  // Something fails, whatever values the unknown entries of incomplete tables have.
  bool fails_surely() const {
    return reachability.unreachable.total() > 0 || reachability.loops > 0 || !deadlock_free();
  }
};

// InputError if the routing has the size of another fabric.
Verdict verify(const Model& model, const Routing& routing, const VerifyOptions& options = {});

}  // namespace fatwood
