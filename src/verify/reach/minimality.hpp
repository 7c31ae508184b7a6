// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Are routes as short as the cables allow?
//
// Method: breadth-first searches give the fewest hops between switches (hop_counts). Routes are
// compared with them while their trees are followed (reachability.hpp).
// Cost: that of hop_counts, and O(destinations * switches) for the comparison.

#include <algorithm>
#include <cstdint>

#include "verify/reach/pairs.hpp"

namespace fatwood {

struct Minimality {
  PairCounts longer;  // pairs whose route is not shortest
  // Sums over all pairs of terminals with a route:
  std::uint64_t hops = 0;
  std::uint64_t least_hops = 0;
  std::uint32_t worst_excess = 0;  // most extra hops of any route

  void add(std::uint32_t route, std::uint32_t least, const PairCounts& pairs) {
    hops += route * pairs.terminal_terminal;
    least_hops += least * pairs.terminal_terminal;
    if (route == least) return;
    longer += pairs;
    worst_excess = std::max(worst_excess, route - least);
  }
  Minimality& operator+=(const Minimality& other) {
    longer += other.longer;
    hops += other.hops;
    least_hops += other.least_hops;
    worst_excess = std::max(worst_excess, other.worst_excess);
    return *this;
  }
  bool minimal() const { return longer.total() == 0; }
  double stretch() const {  // 1 if there are no hops
    return least_hops == 0 ? 1 : static_cast<double>(hops) / static_cast<double>(least_hops);
  }
};

}  // namespace fatwood
