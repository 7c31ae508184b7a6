// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/change/fault_spread.hpp"

#include <algorithm>
#include <cmath>

#include "tasks/change/whatif.hpp"

namespace fatwood {

LossSpread spread_of(std::vector<double> values) {
  LossSpread spread;
  spread.count = values.size();
  if (values.empty()) return spread;
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  for (const double value : values) spread.mean += value / n;
  double squares = 0;
  for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
  if (values.size() > 1) spread.deviation = std::sqrt(squares / (n - 1));
  const double error = 1.96 * spread.deviation / std::sqrt(n);
  spread.mean_low = spread.mean - error;
  spread.mean_high = spread.mean + error;
  for (std::size_t q = 0; q < kSpreadQuantiles.size(); ++q) {
    const double rank = std::max(std::ceil(kSpreadQuantiles[q] * n), 1.0);
    spread.quantiles[q] = values[static_cast<std::size_t>(rank) - 1];
  }
  return spread;
}

FaultSpread fault_spread(const WhatifResult& result) {
  FaultSpread found;
  found.faults = result.costs.size();
  const auto add = [&](std::string_view key, const auto& value) {
    std::vector<double> values;
    for (const FaultCost& cost : result.costs) values.push_back(static_cast<double>(value(cost)));
    if (std::ranges::any_of(values, [](double v) { return v > 0; })) {
      found.figures.push_back({key, spread_of(std::move(values))});
    }
  };
  for (const FaultCost& cost : result.costs) {
    if (cost.pairs_lost > result.before.pairs_lost) ++found.losing;
  }
  add("pairs_lost", [](const FaultCost& cost) { return cost.pairs_lost; });
  add("mload", [](const FaultCost& cost) { return cost.mload.value(); });
  add("gigabits_per_second", [](const FaultCost& cost) { return cost.gigabits; });
  add("permutation_gigabits_per_second",
      [](const FaultCost& cost) { return cost.permutation_gigabits; });
  add("entries_changed", [](const FaultCost& cost) { return cost.entries; });
  add("blocks_changed", [](const FaultCost& cost) { return cost.blocks; });
  return found;
}

}  // namespace fatwood
