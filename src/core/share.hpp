// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Independent work that other processes can take a part of. What an item gives must depend on its
// number alone; then the results are the same whoever does it.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace fatwood {

// share(count, threads, work): the results of all items, in order. This process calls work(item)
// for those that it gets, on so many threads at once; others do the rest. An exception of an item
// ends it everywhere. Empty: there are no others.
using Share = std::function<std::vector<std::string>(
    std::size_t count, int threads, const std::function<std::string(std::size_t item)>& work)>;

}  // namespace fatwood
