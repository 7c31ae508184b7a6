// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The largest channel load of a permutation, fast: the kernel of the permutation and shift studies.
//
// Every adapter s sends 1 to adapter destination_of[s]; an adapter that is its own destination is
// silent. Loads are counted in integer units, units_in_one() per load of 1, so results are exact.
// The routing decides which kernel is used:
//   rows    algebraic routings whose paths depend on one end (permutation_rows.cpp)
//   pairs   other algebraic routings: counts the cables of each path (permutation_pairs.cpp)
//   tables  forwarding tables, adapters with one port: all flows advance together
//           (permutation_tables.cpp)
//   any     everything else, by PathSource::paths; also channels of different speeds, where loads
//           are weighted (permutation_load.cpp)

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
  // A kernel with its own buffers for another thread; read-only data is shared.
  virtual std::unique_ptr<PermutationLoad> clone() const = 0;
};

// The model and the paths must outlive the kernel.
std::unique_ptr<PermutationLoad> permutation_load(const Model& model, const PathSource& paths);

// The single kernels; nullptr if a kernel does not apply. table_kernel REQUIRES adapters with one
// port each.
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
