// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A parallel loop over independent items. Any thread may take any item, so what an item computes
// must depend on its number only. If items throw, the exception of the lowest item is rethrown
// after the loop. A time limit of the caller (time_limit.hpp) applies to all threads.

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <limits>
#include <vector>

#include "core/time_limit.hpp"

namespace fatwood {

// 0 means all cores.
inline int thread_count(int asked) { return asked > 0 ? asked : omp_get_num_procs(); }

// The number of threads to fill this many bytes of tables. If one thread takes only a few
// milliseconds, two cost a fifth more CPU time and are hardly faster.
inline int threads_to_fill(std::size_t bytes, int asked) {
  constexpr std::size_t kBytesOfThread = std::size_t{8} << 20U;
  const auto most = static_cast<std::size_t>(thread_count(asked));
  return static_cast<int>(std::clamp<std::size_t>(bytes / kBytesOfThread, 1, most));
}

// Calls work(item, thread) for item in [0, count), thread in [0, thread_count(threads)).
template <class Work>
void parallel_for(std::size_t count, int threads, const Work& work, std::size_t chunk = 1) {
  std::exception_ptr error;
  std::size_t failed = std::numeric_limits<std::size_t>::max();
  const TimeLimit* const limit = TimeLimit::current();
  const auto items = static_cast<std::ptrdiff_t>(count);
  const auto step = static_cast<std::ptrdiff_t>(chunk);
  // At most one thread per chunk: waking an idle thread costs more than a small loop.
  const auto chunks = static_cast<std::size_t>((items + step - 1) / step);
  const int team = static_cast<int>(
      std::clamp<std::size_t>(chunks, 1, static_cast<std::size_t>(thread_count(threads))));
#pragma omp parallel for schedule(dynamic, step) num_threads(team) if (team > 1)
  for (std::ptrdiff_t i = 0; i < items; ++i) {
    try {
      if (limit != nullptr) limit->check();
      work(static_cast<std::size_t>(i), omp_get_thread_num());
    } catch (...) {
#pragma omp critical(fatwood_parallel_for)
      if (static_cast<std::size_t>(i) < failed) {
        failed = static_cast<std::size_t>(i);
        error = std::current_exception();
      }
    }
  }
  if (error) std::rethrow_exception(error);
}

// The same with working memory: each thread has a copy of `fresh`. Calls work(item, worker) and
// returns all workers.
template <class Worker, class Work>
std::vector<Worker> parallel_with(const Worker& fresh, std::size_t count, int threads,
                                  const Work& work, std::size_t chunk = 1) {
  std::vector<Worker> workers(static_cast<std::size_t>(thread_count(threads)), fresh);
  parallel_for(
      count, threads,
      [&](std::size_t item, int thread) { work(item, workers[static_cast<std::size_t>(thread)]); },
      chunk);
  return workers;
}

}  // namespace fatwood
