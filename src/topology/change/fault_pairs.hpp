// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds pairs of faults that together disconnect hosts, though neither does alone.
//
// Two cables [Pritchard, Thurimella 2011]: each cable outside a spanning tree gets a random number.
// Each cable of the tree gets the exclusive or of the numbers of all cables whose cycle contains
// it. If two cables disconnect the fabric, their numbers are equal; the converse is almost certain,
// so every pair found is checked by a search.
//
// A switch and another fault [Tarjan 1972]: for each switch, remove it; one depth-first search
// finds the switches and cables whose loss disconnects the rest.
//
// Hosts are counted terminals. Those on a lost switch are lost, not disconnected. Only pairs that
// leave hosts on both sides are reported. Deterministic. Cost: O(cables) for pairs of cables, and
// for each pair found; O(switches * cables) for the rest, in parallel.

#include <cstdint>
#include <vector>

#include "topology/model.hpp"

namespace fatwood {

struct FaultPair {
  // Each fault is a cable or a switch; the other is kNone.
  Channel cable_a = kNone<Channel>;
  Switch switch_a = kNone<Switch>;
  Channel cable_b = kNone<Channel>;
  Switch switch_b = kNone<Switch>;
  std::uint64_t cut_off = 0;  // terminals in the smaller component

  friend bool operator==(const FaultPair&, const FaultPair&) = default;
};

struct FaultPairs {
  std::vector<FaultPair> pairs;  // most cut off first, then by number
  bool all = true;               // false: there are more than `most`
};

FaultPairs find_fault_pairs(const Model& model, int threads = 0, std::size_t most = 100'000);

}  // namespace fatwood
