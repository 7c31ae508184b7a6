// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The distribution of what faults cost: for many random sets of lost cables (whatif --sets).
//
// Quantiles are by nearest rank: the smallest value such that at least that fraction of the faults
// have no more. The standard deviation is that of a sample (n - 1). The interval of the mean is
// mean +- 1.96 standard errors (95%, for the number of faults that one draws, hundreds).
// Cost: O(n log n).

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace fatwood {

struct WhatifResult;

inline constexpr std::array<double, 7> kSpreadQuantiles{0, 0.05, 0.25, 0.5, 0.75, 0.95, 1};

struct LossSpread {
  std::size_t count = 0;
  double mean = 0, deviation = 0;
  double mean_low = 0, mean_high = 0;  // 95% interval
  std::array<double, kSpreadQuantiles.size()> quantiles{};
};

// Of nothing: all 0.
LossSpread spread_of(std::vector<double> values);

struct FigureSpread {
  std::string_view key;  // as in the JSON of a fault
  LossSpread spread;
};

struct FaultSpread {
  std::size_t faults = 0, losing = 0;  // losing: with lost pairs that were not lost before
  std::vector<FigureSpread> figures;   // those that are known
};

FaultSpread fault_spread(const WhatifResult& result);

}  // namespace fatwood
