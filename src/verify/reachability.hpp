// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which pairs have a route, by kind of source and destination, and what is wrong with a table
// where they have none.
//
// A pair is an ordered (source, address): sources are all terminals and all switches, addresses
// all targets that are not the source itself. With LMC a destination counts once for each of its
// addresses. Method: the tree of each target (routing/target_tree.hpp), weighted by the terminals
// on each switch. Cost: O(targets * switches), in parallel over targets.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "routing/routing.hpp"
#include "topology/hop_map.hpp"
#include "verify/endpoint.hpp"
#include "verify/pairs.hpp"

namespace fatwood {

// An entry by which packets get lost.
struct TableFault {
  std::uint64_t entries = 0;
  Switch first_switch = kNone<Switch>;  // of the lowest target, the lowest switch
  Target first_target = kNone<Target>;
};

// Packets to this target circle through these switches, in this order.
struct ForwardingLoop {
  Target target = kNone<Target>;
  std::vector<Switch> switches;
};

// A source and an address it does not reach.
struct LostPair {
  Endpoint source;
  Endpoint destination;
};

struct Reachability {
  PairCounts pairs;
  PairCounts unreachable;
  PairCounts apart;                  // of those, pairs that no cables join: nobody can route them
  std::uint64_t loops = 0;           // circles of switches, summed over targets
  std::array<TableFault, 5> faults;  // by HopEnd; an own or an adapter's port only where wrong
  std::optional<ForwardingLoop> first_loop;
  std::optional<LostPair> first_lost;  // terminal pairs before others

  bool whole() const { return unreachable.total() == 0 && loops == 0; }
  // Without a route although cables join them.
  PairCounts lost() const { return unreachable - apart; }
};

// REQUIRES a routing of this fabric's size (check_size). 0 threads: all cores.
Reachability find_reachability(const Fabric& fabric, const Routing& routing, int threads = 0);

// Whether the source route of a pair of switches is there, in one piece, and ends where it should.
bool source_route_arrives(const Fabric& fabric, const SourceRoutes& routes, Switch source,
                          Switch destination);

}  // namespace fatwood
