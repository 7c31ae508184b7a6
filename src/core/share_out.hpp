// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Runs independent items on all threads of all processes. Results are in order of items and do not
// depend on the numbers of threads and processes. Without other processes nothing is serialised.

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "core/bytes.hpp"
#include "core/parallel.hpp"
#include "core/work_share.hpp"

namespace fatwood {

// The threads of each item if this many items run side by side: more than one if there are more
// threads than items.
inline int threads_of_each(std::size_t items, int asked) {
  const auto all = static_cast<std::size_t>(thread_count(asked));
  return static_cast<int>(std::max<std::size_t>(all / std::max<std::size_t>(items, 1), 1));
}

// Calls work(item, thread) for item in [0, count), thread in [0, thread_count(threads)).
template <class Work>
auto share_out(const WorkShare& share, std::size_t count, int threads, const Work& work) {
  using Result = std::invoke_result_t<const Work&, std::size_t, int>;
  std::vector<Result> results(count);
  if (share.processes == 1) {
    parallel_for(count, threads,
                 [&](std::size_t item, int thread) { results[item] = work(item, thread); });
    return results;
  }
  const std::vector<std::string> bytes = share.each(
      count, threads, [&](std::size_t item, int thread) { return to_bytes(work(item, thread)); });
  for (std::size_t item = 0; item < count; ++item) results[item] = from_bytes<Result>(bytes[item]);
  return results;
}

}  // namespace fatwood
