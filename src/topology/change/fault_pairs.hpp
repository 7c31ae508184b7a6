// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Pairs of faults that together disconnect hosts, though neither does alone.
//
// Cables: each cable off a spanning tree gets a random number, each of the tree the exclusive or of
// those whose circle runs over it; two cables disconnect the fabric if and only if their numbers
// agree [Pritchard, Thurimella 2011]. Every pair so found is checked by a search. With a switch:
// for each switch left out, one depth-first search of the rest finds the switches and cables whose
// loss disconnects it [Tarjan 1972]. "Hosts" are terminals that count; those on a lost switch are
// lost, not disconnected. Only pairs that leave hosts on both sides are reported. Deterministic.
// Cost: O(cables) for pairs of cables, and for each pair found; O(switches * cables) for the rest,
// in parallel.

#include <cstdint>
#include <vector>

#include "topology/model.hpp"

namespace fatwood {

struct FaultPair {
  // One of each is kNone.
  Channel cable_a = kNone<Channel>;
  Switch switch_a = kNone<Switch>;
  Channel cable_b = kNone<Channel>;
  Switch switch_b = kNone<Switch>;
  std::uint64_t cut_off = 0;  // terminals in the smaller part

  friend bool operator==(const FaultPair&, const FaultPair&) = default;
};

struct FaultPairs {
  std::vector<FaultPair> pairs;  // most cut off first, then by number
  bool all = true;               // false: there are more than were looked for
};

FaultPairs find_fault_pairs(const Model& model, int threads = 0, std::size_t most = 100'000);

}  // namespace fatwood
