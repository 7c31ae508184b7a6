// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A lower bound on the load of all-to-all traffic, from lengths of channels. Every host sends 1 to
// every other.
//
// Any routing. For any lengths y >= 0 and any routes, the loads times y add up to the distances
// that all flows travel. So some channel has a load of at least
//     sum over pairs of the shortest distance in y  /  sum over channels of y * capacity.
// Method: shortest distances from each switch with hosts; for each pair of hosts, the shortest over
// their ports. Distances are over any paths, so the proof holds for every routing.
//
// Tables. They prove more, because they cannot split flows freely.
// - The ports of two hosts share a flow equally: port i to port i if both have equally many,
//   otherwise each to each.
// - What the ports of a switch send to an address leaves by one port and stays together: a bundle.
//   If all channels with a length leave one switch, everything to an address is one bundle.
// - A channel carries a sum of bundles. Only bundles with a distance above 0 count, so the load
//   is a multiple of their common divisor. The bound is rounded up to such a multiple if all
//   channels with a length have one speed and connect switches.
// - A port with LMC l has 2^l addresses that share its flows equally; a bundle goes to one of them.
//
// The capacity of a channel is its rate relative to the usual one, which most adapters have (the
// faster on a tie); 1 if a rate is not given. Exact, in integers.
// Cost: O(switches with hosts * channels * hops + pairs of hosts).

#include <string>

#include "files.hpp"

namespace check {

enum class Speeds { kGiven, kEqual };

struct LengthFinding {
  bool holds = false;     // the lengths prove the load that the file claims
  std::string bound;      // the load that they prove: "11556/5"
  std::string of_tables;  // the load that they prove for tables; empty: nothing more
};
LengthFinding check_lengths(const Fabric& fabric, const Lengths& lengths, Speeds speeds,
                            unsigned lmc);

}  // namespace check
