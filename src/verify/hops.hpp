// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How long the routes are, in switch-to-switch hops (two terminals of one leaf: 0).
//
// Encoding: histogram[h] is the number of (source, address) pairs whose route takes h hops. Cost:
// O(targets * switches), in parallel over targets.

#include <cstdint>
#include <vector>

#include "routing/routing.hpp"
#include "verify/pairs.hpp"

namespace fatwood {

struct HopHistogram {
  std::vector<std::uint64_t> pairs;  // by hops; no trailing zeros

  void add(std::size_t hops, std::uint64_t more) {
    if (more == 0) return;
    if (pairs.size() <= hops) pairs.resize(hops + 1, 0);
    pairs[hops] += more;
  }
  HopHistogram& operator+=(const HopHistogram& other) {
    for (std::size_t h = 0; h < other.pairs.size(); ++h) add(h, other.pairs[h]);
    return *this;
  }
  std::uint64_t total() const;
  std::uint64_t longest() const { return pairs.empty() ? 0 : pairs.size() - 1; }
  double mean() const;  // 0 when there is no route
};

struct HopCounts {
  HopHistogram terminals;  // terminal to terminal
  HopHistogram all;        // all sources and addresses

  void add(std::size_t hops, const PairCounts& pairs) {
    terminals.add(hops, pairs.terminal_terminal);
    all.add(hops, pairs.total());
  }
  HopCounts& operator+=(const HopCounts& other) {
    terminals += other.terminals;
    all += other.all;
    return *this;
  }
};

// REQUIRES a routing of this fabric's size (check_size).
HopCounts count_hops(const Fabric& fabric, const Routing& routing, int threads = 0);

}  // namespace fatwood
