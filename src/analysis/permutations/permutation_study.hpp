// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The mean of the largest load of random permutations ([Mahapatra12], section 5): draw 1000
// permutations, and double the number while the 99% confidence interval is wider than 1% of the
// mean.
//
// Sample i depends only on (seed, i), so it is the same permutation for every routing. Sums are
// integers, so the result does not depend on the number of threads.

#include <cstdint>
#include <vector>

#include "analysis/permutations/permutation_load.hpp"
#include "core/fraction.hpp"
#include "core/progress.hpp"
#include "core/work_share.hpp"

namespace fatwood {

struct PermutationStudy {
  double mean = 0;
  double half_width = 0;  // 99% interval: mean - half_width .. mean + half_width
  std::uint64_t samples = 0;
};

struct PermutationOptions {
  std::uint64_t seed = 1;
  std::uint64_t first_samples = 1000;
  double width = 0.01;  // of the interval, relative to the mean
  int threads = 0;
  Progress progress{};
  WorkShare share{};  // of the samples
};

PermutationStudy permutation_study(const PermutationLoad& kernel, std::size_t hosts,
                                   const PermutationOptions& options);

// The mean of studies with independent seeds.
PermutationStudy average(const std::vector<PermutationStudy>& studies);

// All shifts s -> s + by, by = 1 .. n-1.
struct ShiftStudy {
  Fraction worst;                 // largest MLOAD
  std::uint32_t worst_shift = 0;  // the first shift with it
  std::uint64_t shifts = 0;
  std::uint64_t conflict_free = 0;  // shifts with MLOAD 1
  double mean = 0;
  std::vector<double> loads;  // MLOAD of shift 1, 2, ...
};
ShiftStudy shift_study(const PermutationLoad& kernel, std::size_t hosts, int threads,
                       const Progress& progress = {});

}  // namespace fatwood
