// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The lengths of routes, in switch-to-switch hops (two terminals of one leaf: 0).
//
// HopHistogram::pairs[h] is the number of (source, address) pairs whose route has h hops.
// reachability.hpp fills it while it walks routes.

#include <cstdint>
#include <numeric>
#include <vector>

#include "verify/reach/pairs.hpp"

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
  std::uint64_t total() const {
    return std::accumulate(pairs.begin(), pairs.end(), std::uint64_t{0});
  }
  std::uint64_t longest() const { return pairs.empty() ? 0 : pairs.size() - 1; }
  double mean() const {  // 0 if there is no route
    double hops = 0;
    for (std::size_t h = 0; h < pairs.size(); ++h) {
      hops += static_cast<double>(h) * static_cast<double>(pairs[h]);
    }
    return pairs.empty() ? 0 : hops / static_cast<double>(total());
  }
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

}  // namespace fatwood
