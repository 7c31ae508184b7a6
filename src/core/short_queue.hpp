// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A priority queue of a few (key, item): the smallest is searched for. Of equal keys the one pushed
// last is removed first, as in RadixHeap, so that either gives the same results.

#include <cstdint>
#include <utility>
#include <vector>

namespace fatwood {

template <class Item>
class ShortQueue {
 public:
  bool empty() const { return items_.empty(); }
  void clear() { items_.clear(); }
  void push(std::uint64_t key, Item item) { items_.emplace_back(key, item); }

  // The item with the smallest key. REQUIRES !empty().
  std::pair<std::uint64_t, Item> pop() {
    std::size_t least = 0;
    for (std::size_t i = 1; i < items_.size(); ++i) {
      if (items_[i].first <= items_[least].first) least = i;
    }
    const std::pair<std::uint64_t, Item> found = items_[least];
    for (std::size_t i = least + 1; i < items_.size(); ++i) items_[i - 1] = items_[i];
    items_.pop_back();
    return found;
  }

 private:
  std::vector<std::pair<std::uint64_t, Item>> items_;  // in the order of push()
};

}  // namespace fatwood
