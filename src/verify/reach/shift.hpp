// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Do flows of a shift permutation share a channel? In shift k of N hosts, host i sends to host i+k
// mod N; a complete RLFT under d-mod-k carries each of the N-1 shifts with at most one flow on any
// channel between switches ([Zahavi10], Theorem 2).
//
// Method: 512 shifts at a time, one bit each, a cache line a channel. Sources of one switch are
// runs of consecutive hosts; the flows of a run to one destination take one path and belong to
// consecutive shifts, so that a run adds a mask of bits to each channel of the path. Flows on a
// channel are counted in binary, in separate bit planes: where nothing conflicts only the first
// plane is touched. Hosts that count are taken by their number; of several ports and addresses the
// first counts. Cost: O(N^2 *
// hops / hosts per switch), in parallel over blocks of shifts (ft(48,3): 3.5 s of CPU).

#include <cstdint>

#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct ShiftConflicts {
  std::uint64_t shifts = 0;       // N-1
  std::uint64_t conflicts = 0;    // (channel, shift) with more than one flow
  std::uint64_t conflicted = 0;   // shifts with any
  std::uint64_t channels = 0;     // channels with any
  std::uint64_t largest = 0;      // flows on one channel in one shift
  std::uint64_t all_largest = 0;  // the same of each shift, summed
  std::uint64_t unrouted = 0;     // flows without a route, left out

  // Flows on the most loaded channel of a shift, on average over shifts.
  double mean_largest() const {
    return shifts == 0 ? 0 : static_cast<double>(all_largest) / static_cast<double>(shifts);
  }
};

// REQUIRES a routing of this fabric's size (check_size).
ShiftConflicts count_shift_conflicts(const Model& model, const Routing& routing, int threads = 0);

}  // namespace fatwood
