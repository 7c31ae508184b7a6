// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The slow checker of adaptive tables: every choice of every packet tried one after the other, and
// every set of channels tried for standing still. Shares no code with verify.

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "oracle/walker.hpp"
#include "routing/tables/routing.hpp"
#include "verify/reach/endpoint.hpp"

namespace fatwood::oracle {

struct AllChoices {
  PairCounts unreachable;  // some choice does not arrive
  PairCounts never;        // none does
  bool loops = false;
  std::map<std::size_t, std::uint64_t> most, fewest;  // terminal pairs that always arrive, by hops
  Edges dependencies;                                 // of all sources, all lanes
  std::set<std::pair<Channel, Destination>>
      held;  // a packet to the destination can hold the channel
  std::uint64_t steps = 0;
  bool gave_up = false;  // there are too many choices: the rest says nothing
};

// Small fabrics only: exponential.
AllChoices try_all_choices(const Fabric& fabric, const Routing& routing);

// Whether some set of channels between switches can be full of packets each of which may only take
// channels of the set. At most 20 channels between switches can be held.
bool can_stand_still(const Fabric& fabric, const Routing& routing, const AllChoices& all);

// Adaptive tables of any kind: each entry that is not static has a group of random ports.
Routing random_adaptive(const Fabric& fabric, ForwardingTables tables, std::uint64_t seed,
                        double share);
// Every entry has a group of its own default port alone.
Routing one_port_groups(const Fabric& fabric, const Routing& plain);

}  // namespace fatwood::oracle
