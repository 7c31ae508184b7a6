// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Is a routing free of deadlock? It is if the channel dependency graph of each lane has no cycle
// ([Dally87]; [Chiu02], Theorem 1). With one port per entry this is also necessary. Adaptive tables
// can be free although all their choices together have a cycle (adaptive/some_choice.hpp).
//
// Either answer comes with evidence that can be checked: an order of all channels that every route
// follows, or a shortest cycle with a pair of endpoints for each of its dependencies.
//
// Method:
// 1. Kahn's topological sort. Of the channels that become free together, the lowest comes first.
// 2. If channels are left over, breadth-first searches among them find a shortest cycle. A search
//    starts at each channel and stops at the best length so far. It visits only higher channels,
//    because a cycle is found by the search from its lowest channel.
// 3. Between searches, channels that are on no cycle are removed. This is done again as soon as the
//    searches since the last removal have cost as much as a removal.
// 4. A second scan of the tables finds a pair for each dependency (witness.hpp).
// Cost: O(channels * ports) for the order, at most O(channels^2 * ports) for the cycle. In practice
// a cyclic fat-tree needs searches only three channels deep.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "verify/deadlock/dependencies.hpp"
#include "verify/reach/endpoint.hpp"

namespace fatwood {

// A packet from source to destination holds the channel and waits for the next one of the cycle.
struct Dependency {
  Channel channel = kNone<Channel>;
  Endpoint source;
  Endpoint destination;
  std::uint32_t offset = 0;  // which of the destination's 2^lmc addresses
  unsigned lane = 0;         // of the channel

  // Order of preference for reports: 0 terminal to terminal, 1 switch to terminal, 2 terminal to
  // switch, 3 switch to switch.
  int rank() const { return (source.is_switch() ? 1 : 0) + (destination.is_switch() ? 2 : 0); }
};
inline Dependency dependency(Channel held, unsigned lane, const Endpoint& source,
                             const ForwardingTables& tables, Destination destination) {
  const std::uint32_t addresses = tables.is_switch(destination) ? 1 : 1U << tables.lmc();
  return {held, source, endpoint(tables, destination), index(destination) & (addresses - 1), lane};
}

// Either `order` or `cycle` is empty. Both are if the fabric has no cables.
struct LaneVerdict {
  std::vector<Channel> order;  // all channels with a cable; every route of the lane follows it
  std::vector<std::uint8_t> lane_at;  // if packets change lanes: the lane of each item of `order`
  std::vector<Dependency> cycle;      // each waits for the next, the last for the first
  std::uint64_t dependencies = 0;
};

// If packets change lanes on their path, there is one verdict for all lanes. Its order has each
// channel of a switch once per lane; cables of hosts are in no cycle.
struct Deadlock {
  std::vector<LaneVerdict> lanes;
  unsigned changing = 0;  // number of lanes that packets change between; 0: they keep their lane

  bool free() const;
  // The lane with the shortest cycle, the lowest of several; kNoLane if there is no cycle.
  std::size_t cyclic_lane() const;
  static constexpr std::size_t kNoLane = static_cast<std::size_t>(-1);
};

// REQUIRES a routing of this fabric's size (check_size).
Deadlock find_deadlock(const Fabric& fabric, const Routing& routing,
                       Sources sources = Sources::kAll, int threads = 0);

// Whether packets can deadlock, for each tier of Sources (senders.hpp): true if they cannot. A tier
// includes the packets of all lower tiers, so if it is free of deadlock, they are too. `found` is
// the result for `sources`; higher tiers get no value.
using DeadlockTiers = std::array<std::optional<bool>, 3>;
DeadlockTiers find_tiers(const Fabric& fabric, const Routing& routing, Sources sources,
                         const Deadlock& found, int threads = 0);

// All vertices in an order that every dependency follows; fewer than all if there is a cycle.
std::vector<std::uint32_t> topological_order(const DependencyGraph& graph);
// `between`, such an order, as an order of all connected channels: channels out of adapters come
// first (no channel depends on them), then those between switches, then those into adapters (they
// depend on none).
std::vector<Channel> order_of_channels(const Fabric& fabric, const DependencyGraph& graph,
                                       const std::vector<std::uint32_t>& between);
// The vertices of a shortest cycle, starting with the lowest; empty if there is none.
std::vector<std::uint32_t> shortest_cycle(const DependencyGraph& graph);

}  // namespace fatwood
