// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A monotone priority queue of (key, item): no key may be below the last one removed. Keys are
// unsigned; the bits of non-negative doubles keep their order (double_bits).
//
// An item is in the bucket of the highest bit in which its key differs from the last one removed.
// Removing the smallest empties the lowest bucket into lower ones, so an item moves at most 64
// times; items with equal keys are then removed at no cost. Ahuja, Mehlhorn, Orlin and Tarjan,
// 1990.

#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace fatwood {

inline std::uint64_t double_bits(double value) { return std::bit_cast<std::uint64_t>(value); }

template <class Item>
class RadixHeap {
 public:
  bool empty() const { return size_ == 0; }
  std::uint64_t last() const { return last_; }  // the key removed last

  void clear() {
    if (!empty()) {
      for (auto& bucket : buckets_) bucket.clear();
    }
    size_ = 0;
    last_ = 0;
    used_ = 0;
  }

  // A key below last() counts as last().
  void push(std::uint64_t key, Item item) {
    if (key < last_) key = last_;
    put(key, item);
    ++size_;
  }

  // The item with the smallest key; of several the one pushed last. REQUIRES !empty().
  std::pair<std::uint64_t, Item> pop() {
    if (buckets_[0].empty()) sink();
    const std::pair<std::uint64_t, Item> least = buckets_[0].back();
    buckets_[0].pop_back();
    --size_;
    return least;
  }

 private:
  void put(std::uint64_t key, Item item) {
    const auto at = static_cast<unsigned>(std::bit_width(key ^ last_));
    buckets_[at].emplace_back(key, item);
    if (at > 0) used_ |= std::uint64_t{1} << (at - 1);
  }
  void sink() {
    const auto at = static_cast<unsigned>(std::countr_zero(used_)) + 1;
    used_ &= used_ - 1;
    std::vector<std::pair<std::uint64_t, Item>>& from = buckets_[at];
    last_ = from.front().first;
    for (const auto& [key, item] : from) last_ = key < last_ ? key : last_;
    for (const auto& [key, item] : from) put(key, item);
    from.clear();
  }

  std::array<std::vector<std::pair<std::uint64_t, Item>>, 65> buckets_;
  std::uint64_t last_ = 0;
  std::uint64_t used_ = 0;  // bit i: bucket i + 1 has items
  std::size_t size_ = 0;
};

}  // namespace fatwood
