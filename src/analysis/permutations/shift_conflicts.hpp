// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Do flows of a shift permutation share a channel? In shift k of N hosts, host i sends to host
// (i + k) mod N. On a complete RLFT, d-mod-k carries each of the N-1 shifts with at most one flow
// per channel between switches ([Zahavi10], Theorem 2).
//
// Method: 512 shifts at a time, one bit per shift, one cache line per channel.
// - The hosts of a switch form runs of consecutive numbers. The flows of a run to one destination
//   use the same path in consecutive shifts, so a run adds one bit mask to each channel of that
//   path.
// - The flows of a channel are counted in binary, one bit plane per digit. Without conflicts only
//   the first plane is touched.
// Counted hosts are numbered in order, each with its first port and first address.
// Cost: O(N^2 * hops / hosts per switch), in parallel over blocks of shifts (ft(48,3): 3.5 s CPU).

#include <cstdint>

#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct ShiftConflicts {
  std::uint64_t shifts = 0;       // N-1
  std::uint64_t conflicts = 0;    // (channel, shift) with more than one flow
  std::uint64_t conflicted = 0;   // shifts with a conflict
  std::uint64_t channels = 0;     // channels with a conflict
  std::uint64_t largest = 0;      // most flows on one channel in one shift
  std::uint64_t all_largest = 0;  // sum over shifts of the most flows on one channel
  std::uint64_t unrouted = 0;     // flows without a route, left out

  // Flows on the most loaded channel of a shift, on average over shifts.
  double mean_largest() const {
    return shifts == 0 ? 0 : static_cast<double>(all_largest) / static_cast<double>(shifts);
  }
};

// REQUIRES a routing of this fabric's size (check_size).
ShiftConflicts count_shift_conflicts(const Model& model, const Routing& routing, int threads = 0);

}  // namespace fatwood
