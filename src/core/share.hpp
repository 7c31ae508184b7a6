// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Independent work that other processes of the same program can take a part of. What an item gives
// must depend on its number alone; then the results are the same whoever does it.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace fatwood {

// work(item, thread) gives an item's result, as bytes.hpp writes it.
using SharedWork = std::function<std::string(std::size_t item, int thread)>;

// A Share made by default: there are no other processes. share_out.hpp calls `each`.
struct Share {
  int processes = 1;
  // each(count, threads, work): the results of all items, in order, for every process. This one
  // calls work for the items that it gets, on so many threads at once; others do the rest. The
  // exception of the first item that fails is thrown in all of them.
  std::function<std::vector<std::string>(std::size_t count, int threads, const SharedWork& work)>
      each = {};
  // once(read): what read() gives in the first process, for every process.
  std::function<std::string(const std::function<std::string()>& read)> once =
      [](const std::function<std::string()>& read) { return read(); };

  explicit operator bool() const { return processes > 1; }
};

}  // namespace fatwood
