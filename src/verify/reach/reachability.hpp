// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Counts pairs that have a route, by kind of source and destination, and finds what is wrong with a
// table where they have none.
//
// A pair is an ordered (source, address): sources are all terminals and all switches, addresses
// all destinations that are not the source itself. With LMC a destination counts once for each of
// its addresses. Method: the tree of each destination (routing/tables/destination_tree.hpp),
// weighted by the terminals on each switch. Cost: O(destinations * switches), in parallel over
// destinations.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "routing/tables/routing.hpp"
#include "topology/graph/hop_map.hpp"
#include "verify/reach/endpoint.hpp"
#include "verify/reach/hops.hpp"
#include "verify/reach/pairs.hpp"

namespace fatwood {

// An entry by which packets get lost.
struct TableFault {
  std::uint64_t entries = 0;
  Switch first_switch = kNone<Switch>;  // of the lowest destination, the lowest switch
  Destination first_destination = kNone<Destination>;

  TableFault& operator+=(const TableFault& other) {
    entries += other.entries;
    if (std::pair(other.first_destination, other.first_switch) <
        std::pair(first_destination, first_switch)) {
      first_destination = other.first_destination;
      first_switch = other.first_switch;
    }
    return *this;
  }
};

// Packets to this destination circle through these switches, in this order.
struct ForwardingLoop {
  Destination destination = kNone<Destination>;
  std::vector<Switch> switches;
};

// A source and an address it does not reach.
struct LostPair {
  Endpoint source;
  Endpoint destination;
};

struct Reachability {
  PairCounts pairs;
  PairCounts unreachable;            // for certain
  PairCounts unknown;                // their packets come to an entry that is not known
  PairCounts disconnected;           // of the unreachable, disconnected pairs
  HopCounts hops;                    // of the pairs with a route; not of adaptive tables
  std::uint64_t loops = 0;           // circles of switches, summed over destinations
  std::array<TableFault, 5> faults;  // by HopEnd; an own or an adapter's port only where wrong
  std::optional<ForwardingLoop> first_loop;
  std::optional<LostPair> first_lost;  // terminal pairs before others

  bool whole() const { return unreachable.total() == 0 && unknown.total() == 0 && loops == 0; }
  // Without a route although cables join them.
  PairCounts lost() const { return unreachable - disconnected; }
};

// The results of one thread. Firsts are the lowest destinations it met.
struct ReachTally {
  PairCounts unreachable;
  PairCounts unknown;
  HopCounts hops;
  std::uint64_t loops = 0;
  std::array<TableFault, 5> faults;
  Destination first_loop = kNone<Destination>;
  std::array<Destination, 4> first_lost{kNone<Destination>, kNone<Destination>, kNone<Destination>,
                                        kNone<Destination>};

  void add_lost(const PairCounts& lost, Destination destination);
  void add_loops(std::uint64_t more, Destination first);
  ReachTally& operator+=(const ReachTally& other);
};

// The lowest source of a kind whose switch does not reach the destination.
LostPair lost_pair(const Fabric& fabric, const Endpoint& destination, bool from_terminal,
                   const std::function<bool(Switch)>& reaches);

// Pairs within a connected part, or of two adapters cabled to each other.
PairCounts joined_pairs(const Fabric& fabric, unsigned lmc);

// REQUIRES a routing of this fabric's size (check_size). 0 threads: all cores.
Reachability find_reachability(const Fabric& fabric, const Routing& routing, int threads = 0);

// Whether the source route of a pair of switches is there, in one piece, and ends where it should.
bool source_route_arrives(const Fabric& fabric, const SourceRoutes& routes, Switch source,
                          Switch destination);

// Routes of a switch to a destination, by lane: entries that lead to another switch or to a host.
std::vector<std::uint64_t> count_lane_routes(const Routing& routing);

}  // namespace fatwood
