// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Disjoint sets of the numbers 0 .. size-1. A set is named by its lowest number.
// Cost: nearly constant per call (path halving).

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace fatwood {

class UnionFind {
 public:
  explicit UnionFind(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  // Merges two sets. Returns whether they were different.
  bool join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
    return a != b;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace fatwood
