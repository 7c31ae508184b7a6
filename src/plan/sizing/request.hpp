// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A request for a plan: the size, the room, and the cables and prices to choose from.

#include <cstdint>
#include <optional>

#include "plan/sizing/bill.hpp"
#include "plan/sizing/layout.hpp"
#include "plan/sizing/sizing.hpp"

namespace fatwood {

struct PlanRequest {
  SizingOptions sizing;
  std::uint32_t links_per_cable = 1;  // 2: twin-port cables
  LayoutRules rules;
  CableTable cables = default_cables();
  std::optional<PriceList> prices;
};

}  // namespace fatwood
