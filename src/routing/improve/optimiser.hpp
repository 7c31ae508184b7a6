// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Evens out the use of the links of any engine's tables by its equally long alternatives ([Chiu02],
// section 6.4), and never breaks what makes them free of deadlock (movable_routes.hpp).
//
// Method: first cables that lie next to each other: at each switch the entries over such a group,
// the one with most flows first, go to the cable with the fewest so far. Then hill-climbing: an
// entry and one of its alternatives are drawn at random; the entry moves if that makes the
// variance of the usage smaller; `patience` trials in a row without a move end it.
//
// The mean usage is the same before and after, lengths being the same, so a smaller variance is a
// smaller sum of squares: whole numbers. Deterministic by seed, on one thread.
// Cost: O(addresses * switches * ports) to count alternatives, a few microseconds a trial.

#include <cstdint>
#include <optional>

#include "core/progress.hpp"
#include "routing/improve/movable_routes.hpp"

namespace fatwood {

// Use of the links between switches, each direction apart.
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
  // Failed trials in a row that end hill climbing; unless given, as many as there are alternatives
  // but 200,000 at most.
  std::optional<std::uint64_t> patience = {};
  std::uint64_t seed = 1;
  Progress progress = {};
};

struct OptimiseResult {
  UsageStatistics before, after_duplicates, after;
  std::uint64_t alternatives = 0;     // next to the entries in use
  std::uint64_t duplicate_moves = 0;  // between cables that lie next to each other
  std::uint64_t trials = 0;
  std::uint64_t moves = 0;    // of hill climbing
  std::uint64_t refused = 0;  // moves that would have closed a circle of waiting channels
};

OptimiseResult optimise(MovableRoutes& routes, const OptimiseOptions& options = {});

}  // namespace fatwood
