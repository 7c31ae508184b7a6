// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A bound on all-to-all loads from lengths of channels: every host sends 1 to every other one.
//
// Problem: for any lengths y >= 0 and any routes, loads times y add up to what all flows travel.
// So some channel has a load of at least
//     sum over pairs of the shortest distance in y  /  sum over channels of y * capacity.
// Method: distances of all switches from each switch with hosts, by one list of nodes to be looked
// at again; for each pair of hosts the shortest over their ports. Distances are of any paths, not
// only those that some routing would take, so that the proof holds for all.
// Tables prove more. The ports of two hosts share a flow: the i-th sends to the i-th where both
// have as many, else each to each, in equal parts. All that the ports on a switch send to an
// address leaves it by one port, and stays together from there on. A channel carries a sum of such
// chunks. Of the chunks that have a distance above 0 all are multiples of some number; so is what a
// channel carries of them, and these alone travel. The bound may be rounded up to that, where
// channels that have a length are of one speed and join switches. Where all of them leave one
// switch, all that travels to an address is one chunk. A port of LMC l has 2^l addresses, which
// share its flows evenly; a chunk goes to one of them. Capacity of a channel: its rate over the
// usual one, which most adapters have (the faster of equals); 1 where a rate is not given. Exact,
// in whole numbers. Cost: O(switches with hosts * channels * hops + pairs of hosts).

#include <string>

#include "files.hpp"

namespace check {

enum class Speeds { kGiven, kEqual };

struct LengthFinding {
  bool holds = false;     // the lengths prove what they are said to
  std::string bound;      // what they prove: "11556/5"
  std::string of_tables;  // what they prove for tables; empty: nothing else
};
LengthFinding check_lengths(const Fabric& fabric, const Lengths& lengths, Speeds speeds,
                            unsigned lmc);

}  // namespace check
