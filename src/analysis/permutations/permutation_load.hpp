// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The largest channel load of a permutation, fast: the kernel of the permutation and shift studies.
//
// Every host s sends 1 to destination_of[s]; s that is its own destination is silent. Loads
// are counted in whole units, units_in_one() to a load of 1, so results are exact. A kernel is
// chosen by what the routing is:
//   any     where channels have different speeds: loads are weighed by them
//   rows    closed forms whose paths depend on one end (permutation_rows.cpp)
//   pairs   other closed forms: each path's cables counted one by one (permutation_pairs.cpp)
//   tables  forwarding tables of hosts with one port, all walks advancing together
//   (permutation_tables.cpp) any     whatever is left, over PathSource::paths
//   (permutation_load.cpp)

#include <cstdint>
#include <memory>
#include <span>

#include "core/random.hpp"
#include "routing/tables/path_source.hpp"

namespace fatwood {

// Buffers and all of one thread's work.
class PermutationLoad {
 public:
  PermutationLoad() = default;
  PermutationLoad(const PermutationLoad&) = delete;
  PermutationLoad& operator=(const PermutationLoad&) = delete;
  virtual ~PermutationLoad() = default;

  virtual std::uint64_t units_in_one() const = 0;
  // MLOAD in units. REQUIRES a permutation of 0..num_hosts-1.
  virtual std::uint64_t max_load(std::span<const std::uint32_t> destination_of) = 0;
  // Another with buffers of its own, sharing what is only read.
  virtual std::unique_ptr<PermutationLoad> clone() const = 0;
};

// The model and the paths must outlive the kernel.
std::unique_ptr<PermutationLoad> permutation_load(const Model& model, const PathSource& paths);

// The kernels, each on its own; nullptr where it does not apply. table_kernel REQUIRES hosts with
// one port each.
std::unique_ptr<PermutationLoad> row_kernel(const ObliviousRouting& routing);
std::unique_ptr<PermutationLoad> pair_kernel(const ObliviousRouting& routing);
std::unique_ptr<PermutationLoad> table_kernel(const Model& model, const ForwardingTables& tables);
std::unique_ptr<PermutationLoad> any_kernel(const Model& model, const PathSource& paths);

// Fills `destination_of` with random permutation number `sample`. Fisher-Yates; the numbers are
// splitmix64's from a state that Philox gives for (seed, sample), two 32-bit draws a step, scaled
// by multiply-shift: a position is off its chance by less than n/2^32.
void draw_permutation(std::uint64_t seed, std::uint64_t sample,
                      std::span<std::uint32_t> destination_of);

}  // namespace fatwood
