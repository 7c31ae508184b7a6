// SPDX-License-Identifier: BSD-3-Clause
// What a click on a cable or switch shows of its loss.

#include <algorithm>
#include <cmath>

#include "report/page/packed.hpp"
#include "report/page/page_json.hpp"

namespace fatwood {

namespace {

std::uint32_t small(double value) {
  return static_cast<std::uint32_t>(std::clamp(std::round(value), 0.0, 4294967295.0));
}

}  // namespace

Json page_losses(const std::optional<PageLosses>& losses) {
  if (!losses) return nullptr;
  std::vector<std::uint32_t> cables, switches, costs;
  std::vector<const FaultCost*> rows;
  for (std::size_t i = 0; i < losses->faults.size(); ++i) {
    if (losses->faults[i].removed != kNone<Switch>) continue;
    cables.push_back(index(losses->faults[i].cut.front()));
    rows.push_back(&losses->costs[i]);
  }
  for (std::size_t i = 0; i < losses->faults.size(); ++i) {
    if (losses->faults[i].removed == kNone<Switch>) continue;
    switches.push_back(index(losses->faults[i].removed));
    rows.push_back(&losses->costs[i]);
  }
  const auto add = [&](auto&& value) {
    for (const FaultCost* cost : rows) costs.push_back(small(value(*cost)));
  };
  add([](const FaultCost& cost) { return static_cast<double>(cost.pairs_lost); });
  add([](const FaultCost& cost) { return 1000 * cost.mload.value(); });
  add([](const FaultCost& cost) { return 1000 * cost.gigabits; });
  add([](const FaultCost& cost) { return static_cast<double>(cost.entries); });
  add([](const FaultCost& cost) { return static_cast<double>(cost.blocks); });
  return {{"engine", losses->engine},
          {"mload_now", losses->mload_now.value()},
          {"gigabits_now", losses->gigabits_now},
          {"cables", packed(cables)},
          {"switches", packed(switches)},
          {"costs", packed(costs)}};
}

}  // namespace fatwood
