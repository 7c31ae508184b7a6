// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Chooses ports as OpenSM 3.3.23 does for minhop, updn and dnup, entry by entry.
//
// Order of destinations, the same at every switch: switches by their number of end ports, most
// first; of equal ones the map's first. OpenSM keeps GUIDs in network byte order and compares them
// as integers, so its map is sorted by the GUID's bytes from the last to the first. Of each switch
// its end ports, by port number. Then the switches themselves. Terminals of RouteOptions::order
// come before all others (OpenSM's guid_routing_order_file).
//
// Choice: each switch has a counter per port. A destination goes to the alternative with the
// smallest counter, the lowest port on a tie. The counter then grows by one, except for
// destinations that are switches.
//
// Several addresses per terminal: all first addresses are routed, then all second ones, and so on.
// The search starts after the port of the terminal's previous address. It prefers a neighbour in a
// system (system image GUID) that none of the earlier addresses passes, then an unused neighbour,
// then the smallest counter; of equal counters the neighbour with fewer of these addresses.
//
// Terminals that the user excludes (ModelHints: uncounted, or not compute) have counters of their
// own, which OpenSM has not. Adapters inside switches count, as in OpenSM.
//
// Checked entry by entry against OpenSM (tests/ib) and a slow second implementation
// (tests/engines). Cost: as balance.hpp; parallel over blocks of 64 switches.

#include <cstdint>
#include <vector>

#include "routing/engine.hpp"

namespace fatwood {

// Which trunks of a switch are on a path with the fewest hops to a destination switch: by distances
// (hop_counts), or bit by bit.
struct LeadingTrunks {
  std::vector<std::uint16_t> hops;  // [destination][switch], or empty
  std::vector<std::uint64_t> bits;  // [destination][word]: bit g % 64 of word g / 64 is trunk g
  std::size_t words = 0;
};

ForwardingTables opensm_balance(const Model& model, const LeadingTrunks& leading,
                                const RouteOptions& options);

}  // namespace fatwood
