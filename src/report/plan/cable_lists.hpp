// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lists for the people who buy and plug cables: by rack, by bundle, by switch; bill and trays. As
// CSV, and all of them as one page to print, where each rack, bundle and switch has a box to tick.

#include <string>

#include "topology/sizing/bill.hpp"
#include "topology/sizing/layout.hpp"

namespace fatwood {

// A laid out plan.
struct PlanView {
  const Plan& plan;
  const Layout& layout;
  const LayoutRules& rules;
  Sharing sharing = {};
};

// One row per cable end in each rack, from the lowest unit up.
std::string racks_csv(const PlanView& view);
// One row per cable, by pair of racks.
std::string bundles_csv(const PlanView& view);
// One row per switch port with a cable.
std::string switches_csv(const PlanView& view);
std::string bill_csv(const PlanView& view, const PriceList* prices);
std::string trays_csv(const PlanView& view);

std::string lists_page(const PlanView& view, std::string_view title);

}  // namespace fatwood
