// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Is a routing free of deadlock? Exactly when no lane's channel dependency graph has a cycle
// ([Dally87]; [Chiu02], Theorem 1). Either way the answer can be checked: an order of all channels
// that every route ascends, or a shortest cycle with a pair for each dependency in it.
//
// Method: Kahn's topological sort, lowest channel first among those that become free together.
// If some channels never become free, a shortest cycle among them by a breadth-first search from
// each, cut at the best length so far and confined to higher channels (the least channel of a
// cycle finds it); channels in no cycle are trimmed away whenever the searches since the last
// trimming cost as much as one. A pair for each dependency by a second scan of the tables.
// Cost: O(channels * ports) for the order; for the cycle at most O(channels^2 * ports), in
// practice the cores of cyclic fat-trees are searched three channels deep.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "verify/deadlock/dependencies.hpp"
#include "verify/reach/endpoint.hpp"

namespace fatwood {

// A packet from source to destination holds the channel and wants the next one of the cycle.
struct Dependency {
  Channel channel = kNone<Channel>;
  Endpoint source;
  Endpoint destination;
  std::uint32_t offset = 0;  // which of the destination's 2^lmc addresses
  unsigned lane = 0;         // in which the channel is held

  // Witnesses of pairs of terminals come first.
  int rank() const { return (source.is_switch() ? 1 : 0) + (destination.is_switch() ? 2 : 0); }
};

// Exactly one of the two is empty, unless the fabric has no cables.
struct LaneVerdict {
  std::vector<Channel> order;  // all channels with a cable; every route of the lane ascends it
  std::vector<std::uint8_t> lane_at;  // where routes change lanes: of each place of the order
  std::vector<Dependency> cycle;      // each waits for the next, the last for the first
  std::uint64_t dependencies = 0;
};

// If routes change lanes on their way there is one verdict, of all lanes: its order has each
// channel once for each lane.
struct Deadlock {
  std::vector<LaneVerdict> lanes;
  unsigned changing = 0;  // lanes that routes change between; 0: each keeps its own

  bool free() const;
  // The shortest cycle of all lanes, of the lowest lane that has one so short; kNoLane: none.
  std::size_t cyclic_lane() const;
  static constexpr std::size_t kNoLane = static_cast<std::size_t>(-1);
};

// REQUIRES a routing of this fabric's size (check_size).
Deadlock find_deadlock(const Fabric& fabric, const Routing& routing,
                       Sources sources = Sources::kAll, int threads = 0);

// For each of Sources: whether its packets can't deadlock; no value for tiers above `sources`, the
// tier of `found`. A tier has all packets of the one below: where it is free, so is that.
using DeadlockTiers = std::array<std::optional<bool>, 3>;
DeadlockTiers find_tiers(const Fabric& fabric, const Routing& routing, Sources sources,
                         const Deadlock& found, int threads = 0);

// All vertices in an order that every dependency ascends; shorter when there is a cycle.
std::vector<std::uint32_t> topological_order(const DependencyGraph& graph);
// The vertices of a shortest cycle, starting with the least; empty when there is none.
std::vector<std::uint32_t> shortest_cycle(const DependencyGraph& graph);

}  // namespace fatwood
