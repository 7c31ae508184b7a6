// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The largest channel load of a permutation, fast: the kernel of the permutation and shift studies.
//
// Every host s sends 1 to destination_of[s]; a host that is its own destination is silent. Loads
// are counted in integer units, units_in_one() per load of 1, so results are exact. The routing
// decides which kernel is used:
//   rows    algebraic routings whose paths depend on one end (permutation_rows.cpp)
//   pairs   other algebraic routings: counts the cables of each path (permutation_pairs.cpp)
//   tables  forwarding tables, hosts with one port: all flows advance together
//           (permutation_tables.cpp)
//   any     all others, by PathSource::paths, and channels of different speeds: loads are weighted
//           (permutation_load.cpp)

#include <cstdint>
#include <memory>
#include <span>

#include "core/random.hpp"
#include "routing/tables/path_source.hpp"

namespace fatwood {

// Holds the buffers of one thread.
class PermutationLoad {
 public:
  PermutationLoad() = default;
  PermutationLoad(const PermutationLoad&) = delete;
  PermutationLoad& operator=(const PermutationLoad&) = delete;
  virtual ~PermutationLoad() = default;

  virtual std::uint64_t units_in_one() const = 0;
  // MLOAD in units. REQUIRES a permutation of 0..num_adapters-1.
  virtual std::uint64_t max_load(std::span<const std::uint32_t> destination_of) = 0;
  // Another one with its own buffers; read-only data is shared.
  virtual std::unique_ptr<PermutationLoad> clone() const = 0;
};

// The model and the paths must outlive the kernel.
std::unique_ptr<PermutationLoad> permutation_load(const Model& model, const PathSource& paths);

// The single kernels; nullptr if a kernel does not apply. table_kernel REQUIRES hosts with one port
// each.
std::unique_ptr<PermutationLoad> row_kernel(const AlgebraicRouting& routing);
std::unique_ptr<PermutationLoad> pair_kernel(const AlgebraicRouting& routing);
std::unique_ptr<PermutationLoad> table_kernel(const Model& model, const ForwardingTables& tables);
std::unique_ptr<PermutationLoad> any_kernel(const Model& model, const PathSource& paths);

// Fills `destination_of` with random permutation number `sample`: Fisher-Yates with splitmix64,
// whose state Philox derives from (seed, sample). Each 64-bit number gives two 32-bit draws, scaled
// by multiply-shift; the bias of a position is below n/2^32.
void draw_permutation(std::uint64_t seed, std::uint64_t sample,
                      std::span<std::uint32_t> destination_of);

}  // namespace fatwood
