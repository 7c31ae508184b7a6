// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How long the routes are, in switch-to-switch hops (two terminals of one leaf: 0).
//
// Encoding: histogram[h] is the number of (source, address) pairs whose route takes h hops. Cost:
// O(targets * switches), in parallel over targets.

#include <cstdint>
#include <vector>

#include "routing/routing.hpp"

namespace fatwood {

struct HopHistogram {
  std::vector<std::uint64_t> pairs;  // by hops; no trailing zeros

  std::uint64_t total() const;
  std::uint64_t longest() const { return pairs.empty() ? 0 : pairs.size() - 1; }
  double mean() const;  // 0 when there is no route
};

struct HopCounts {
  HopHistogram terminals;  // terminal to terminal
  HopHistogram all;        // all sources and addresses
};

// REQUIRES a routing of this fabric's size (check_size).
HopCounts count_hops(const Fabric& fabric, const Routing& routing, int threads = 0);

}  // namespace fatwood
