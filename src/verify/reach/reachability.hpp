// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Counts pairs with and without a route, by kind of source and destination, and finds the table
// entries that lose packets.
//
// A pair is (source, address). Sources are all terminals and all switches; addresses are all
// destinations other than the source. With LMC > 0 each address of a destination counts.
// Method: build the tree of each destination (routing/tables/destination_tree.hpp) and weight its
// switches by their terminals.
// Cost: O(destinations * switches), in parallel over destinations.

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
#include "verify/reach/minimality.hpp"
#include "verify/reach/pairs.hpp"

namespace fatwood {

// Entries that lose packets.
struct TableFault {
  std::uint64_t entries = 0;
  Switch first_switch = kNone<Switch>;  // the lowest switch of the lowest destination
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

// Packets to this destination loop through these switches, in this order.
struct ForwardingLoop {
  Destination destination = kNone<Destination>;
  std::vector<Switch> switches;
};

// A source and a destination that it does not reach.
struct LostPair {
  Endpoint source;
  Endpoint destination;
};

struct Reachability {
  PairCounts pairs;
  PairCounts unreachable = {};            // certainly
  PairCounts unknown = {};                // their packets come to an entry that is unknown
  PairCounts disconnected = {};           // unreachable pairs that no cables connect
  HopCounts hops = {};                    // of pairs with a route; empty for adaptive tables
  std::uint64_t loops = 0;                // loops of switches, summed over destinations
  std::array<TableFault, 5> faults = {};  // by HopEnd; own and adapter ports only if wrong
  std::optional<ForwardingLoop> first_loop = {};
  std::optional<LostPair> first_lost = {};  // pairs of terminals before others

  bool whole() const { return unreachable.total() == 0 && unknown.total() == 0 && loops == 0; }
  // Pairs without a route although cables connect them.
  PairCounts lost() const { return unreachable - disconnected; }
};

// The counts of one thread. first_* are its lowest destinations.
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

// The lowest source, terminal or switch, whose switch does not reach the destination.
LostPair lost_pair(const Fabric& fabric, const Endpoint& destination, bool from_terminal,
                   const std::function<bool(Switch)>& reaches);

// Pairs within a connected component, or of two adapters with a cable between them.
PairCounts joined_pairs(const Fabric& fabric, unsigned lmc);

// REQUIRES a routing of this fabric's size (check_size). 0 threads: all cores.
Reachability find_reachability(const Fabric& fabric, const Routing& routing, int threads = 0);

struct ReachAndLengths {
  Reachability reachability;
  Minimality minimality;
};
// Both in one pass. Cost: also hop_counts() of all switches (2 bytes for each pair).
ReachAndLengths find_reach_and_lengths(const Fabric& fabric, const Routing& routing,
                                       int threads = 0);

// By lane: routes of a switch to a destination, which are entries to another switch or a host.
std::vector<std::uint64_t> count_lane_routes(const Routing& routing);

}  // namespace fatwood
