// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sampling for studies of random permutations. Samples are drawn on all threads, and by other
// processes if there are any. Their number doubles until the interval of the mean is narrow enough.
// Sums are integers, so the order of addition does not matter.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "analysis/permutations/permutation_study.hpp"
#include "core/share_out.hpp"

namespace fatwood {

// The mean of samples with its 99% interval.
PermutationStudy mean_with_interval(std::uint64_t sum, unsigned __int128 squares,
                                    std::uint64_t samples, std::uint64_t units_in_one);

// Reports progress. Returns whether the interval is narrow enough.
bool is_narrow(const PermutationStudy& study, const PermutationOptions& options);

// One thread's kernel (PermutationLoad or PermutationRates) and permutation, on cache lines of its
// own.
template <class Kernel>
struct alignas(64) SampleWorker {
  std::unique_ptr<Kernel> kernel;
  std::vector<std::uint32_t> destination_of;
};

template <class Kernel>
std::vector<SampleWorker<Kernel>> sample_workers(const Kernel& kernel, std::size_t hosts,
                                                 int threads) {
  std::vector<SampleWorker<Kernel>> workers(static_cast<std::size_t>(thread_count(threads)));
  for (SampleWorker<Kernel>& worker : workers) {
    worker = {kernel.clone(), std::vector<std::uint32_t>(hosts)};
  }
  return workers;
}

// The sums of samples from .. to - 1; add(sample, thread, sums) adds one.
template <class Sums, class Add>
Sums draw_all(const PermutationOptions& options, const Add& add, std::uint64_t from,
              std::uint64_t to) {
  constexpr std::uint64_t kBatch = 50;
  // With several processes: many more parts than processes, so that they finish at the same time.
  constexpr std::uint64_t kParts = 256;
  const std::uint64_t most =
      options.share ? std::max<std::uint64_t>(1, (to - from) / kParts) : kBatch;
  const std::uint64_t part = std::min(kBatch, most);
  const std::size_t parts = (to - from + part - 1) / part;
  const std::vector<Sums> found =
      share_out(options.share, parts, options.threads, [&](std::size_t i, int thread) {
        Sums sums;
        const std::uint64_t begin = from + i * part;
        for (std::uint64_t sample = begin; sample < std::min(to, begin + part); ++sample) {
          add(sample, static_cast<std::size_t>(thread), sums);
        }
        return sums;
      });
  Sums all;
  for (const Sums& sums : found) all += sums;
  return all;
}

// Draws until mean(sums, samples), a PermutationStudy, is narrow enough. draw(seed, sample,
// destination_of) makes a sample, and add(kernel, destination_of, sums) adds it. Sums has += and is
// copied bytewise to other processes.
template <class Sums, class Kernel, class Draw, class Add, class Mean>
PermutationStudy sample_until_narrow(const Kernel& kernel, std::size_t hosts,
                                     const PermutationOptions& options, const Draw& draw,
                                     const Add& add, const Mean& mean) {
  auto workers = sample_workers(kernel, hosts, options.threads);
  const auto add_sample = [&](std::uint64_t sample, std::size_t thread, Sums& sums) {
    SampleWorker<Kernel>& worker = workers[thread];
    draw(options.seed, sample, worker.destination_of);
    add(*worker.kernel, worker.destination_of, sums);
  };
  Sums sums;
  std::uint64_t done = 0;
  for (std::uint64_t samples = options.first_samples;; samples *= 2) {
    sums += draw_all<Sums>(options, add_sample, done, samples);
    done = samples;
    const PermutationStudy study = mean(sums, samples);
    if (is_narrow(study, options)) return study;
  }
}

}  // namespace fatwood
