// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Balances the usage of links in the tables of any engine by moving entries to equally long
// alternatives ([Chiu02], section 6.4). Tables that are free of deadlock stay so
// (movable_routes.hpp).
//
// Method:
// 1. Parallel cables. At each switch, the entries over a set of parallel cables are dealt out
//    again, most flows first, each to the cable with the fewest flows so far.
// 2. Hill climbing. Draw an entry and one of its alternatives at random, and move the entry if the
//    variance of the usage decreases. Stop after `patience` trials without a move.
// Lengths do not change, so the mean usage is constant, and the variance decreases if and only if
// the sum of squares does, which is an integer. Deterministic by seed, on one thread.
// Cost: O(addresses * switches * ports) to count alternatives; a few microseconds per trial.

#include <cstdint>
#include <optional>

#include "core/progress.hpp"
#include "routing/improve/movable_routes.hpp"

namespace fatwood {

// Usage of the links between switches; each direction is a link.
struct UsageStatistics {
  std::uint64_t links = 0;
  std::uint64_t flows = 0;  // summed over links
  std::uint64_t largest = 0;
  double mean = 0;
  double variance = 0;

  double deviation() const;
};
UsageStatistics usage_statistics(const Table<Link, std::uint64_t>& usage);

struct OptimiseOptions {
  // Trials without a move that end hill climbing. Default: the number of alternatives, at most
  // 200,000.
  std::optional<std::uint64_t> patience = {};
  std::uint64_t seed = 1;
  Progress progress = {};
};

struct OptimiseResult {
  UsageStatistics before, after_duplicates, after;
  std::uint64_t alternatives = 0;     // besides the entries in use
  std::uint64_t duplicate_moves = 0;  // between parallel cables
  std::uint64_t trials = 0;
  std::uint64_t moves = 0;    // of hill climbing
  std::uint64_t refused = 0;  // moves that would have closed a cycle of dependencies
};

OptimiseResult optimise(MovableRoutes& routes, const OptimiseOptions& options = {});

}  // namespace fatwood
