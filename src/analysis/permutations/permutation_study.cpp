// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/permutations/permutation_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/permutations/sampling.hpp"
#include "core/parallel.hpp"

namespace fatwood {

namespace {

constexpr double kNormal99 = 2.5758293035489004;  // 99.5% quantile of the normal distribution

// Of samples, in units: whole numbers, so that the order of adding does not matter.
struct Sums {
  std::uint64_t sum = 0;
  unsigned __int128 squares = 0;

  void operator+=(const Sums& other) {
    sum += other.sum;
    squares += other.squares;
  }
};

}  // namespace

PermutationStudy mean_with_interval(std::uint64_t sum, unsigned __int128 squares,
                                    std::uint64_t samples, std::uint64_t units_in_one) {
  const auto one = static_cast<double>(units_in_one);
  const auto n = static_cast<double>(samples);
  // n * squares - sum^2 in whole numbers: no cancellation, no dependence on order.
  const unsigned __int128 spread = squares * samples - static_cast<unsigned __int128>(sum) * sum;
  const double variance = static_cast<double>(spread) / (n * (n - 1)) / (one * one);
  return {static_cast<double>(sum) / n / one, kNormal99 * std::sqrt(variance / n), samples};
}

bool is_narrow(const PermutationStudy& study, const PermutationOptions& options) {
  const double width = 2 * study.half_width / std::max(study.mean, 1e-300);
  // The samples needed grow with the square of the width.
  report(options.progress, std::min(1.0, std::pow(options.width / std::max(width, 1e-12), 2)),
         fmt::format("{:.4f} +- {:.4f} ({:.2f}% wide) after {} samples", study.mean,
                     study.half_width, width * 100, study.samples));
  return width <= options.width;
}

PermutationStudy permutation_study(const PermutationLoad& kernel, std::size_t hosts,
                                   const PermutationOptions& options) {
  return sample_until_narrow<Sums>(
      kernel, hosts, options, draw_permutation,
      [](PermutationLoad& own, std::span<const std::uint32_t> destination_of, Sums& sums) {
        const std::uint64_t load = own.max_load(destination_of);
        sums += {load, static_cast<unsigned __int128>(load) * load};
      },
      [&](const Sums& sums, std::uint64_t samples) {
        return mean_with_interval(sums.sum, sums.squares, samples, kernel.units_in_one());
      });
}

PermutationStudy average(const std::vector<PermutationStudy>& studies) {
  PermutationStudy result;
  const auto count = static_cast<double>(studies.size());
  double squares = 0;
  for (const PermutationStudy& study : studies) {
    result.mean += study.mean / count;
    squares += study.half_width * study.half_width;
    result.samples += study.samples;
  }
  result.half_width = std::sqrt(squares) / count;
  return result;
}

ShiftStudy shift_study(const PermutationLoad& kernel, std::size_t hosts, int threads,
                       const Progress& progress) {
  auto workers = sample_workers(kernel, hosts, threads);
  const std::uint64_t one = kernel.units_in_one();
  std::vector<std::uint64_t> load(hosts);  // by shift
  constexpr std::size_t kSlice = 1024;
  for (std::size_t from = 1; from < hosts; from += kSlice) {
    report(progress, static_cast<double>(from) / static_cast<double>(hosts),
           fmt::format("{} of {} shifts", from, hosts - 1));
    const std::size_t count = std::min(kSlice, hosts - from);
    parallel_for(
        count, threads,
        [&](std::size_t i, int thread) {
          auto& worker = workers[static_cast<std::size_t>(thread)];
          const std::size_t by = from + i;
          const auto middle =
              worker.destination_of.begin() + static_cast<std::ptrdiff_t>(hosts - by);
          std::iota(worker.destination_of.begin(), middle, static_cast<std::uint32_t>(by));
          std::iota(middle, worker.destination_of.end(), 0U);
          load[by] = worker.kernel->max_load(worker.destination_of);
        },
        16);
  }
  ShiftStudy study;
  const auto worst = std::max_element(load.begin() + 1, load.end());
  study.worst_shift = static_cast<std::uint32_t>(worst - load.begin());
  study.worst = {static_cast<std::int64_t>(*worst), static_cast<std::int64_t>(one)};
  study.shifts = hosts - 1;
  for (std::size_t by = 1; by < hosts; ++by) {
    study.loads.push_back(static_cast<double>(load[by]) / static_cast<double>(one));
  }
  study.conflict_free = static_cast<std::uint64_t>(
      std::count_if(load.begin() + 1, load.end(), [&](std::uint64_t l) { return l <= one; }));
  const std::uint64_t sum = std::accumulate(load.begin() + 1, load.end(), std::uint64_t{0});
  study.mean =
      static_cast<double>(sum) / static_cast<double>(study.shifts) / static_cast<double>(one);
  return study;
}

}  // namespace fatwood
