// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Independent work that is shared with other processes of the same program. The result of an item
// must depend on its number only, so that it does not matter which process computes it.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace fatwood {

// work(item, thread) returns the result of an item, serialised by bytes.hpp.
using SharedWork = std::function<std::string(std::size_t item, int thread)>;

// The default WorkShare has no other processes. share_out.hpp calls `each`.
struct WorkShare {
  int processes = 1;
  // each(count, threads, work) returns the results of all items, in order, in every process. Each
  // process calls `work` for its items, on this many threads. The exception of the first failing
  // item is thrown in all processes.
  std::function<std::vector<std::string>(std::size_t count, int threads, const SharedWork& work)>
      each = {};
  // once(read) returns, in every process, the result of read() in the first process.
  std::function<std::string(const std::function<std::string()>& read)> once =
      [](const std::function<std::string()>& read) { return read(); };

  explicit operator bool() const { return processes > 1; }
};

}  // namespace fatwood
