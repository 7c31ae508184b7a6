// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lists for the people who buy and plug cables: by rack, by bundle, by switch; bill and trays. As
// CSV, and all of them as one page to print, where each rack, bundle and switch has a box to tick.
// Drawings as SVG: the racks with their devices, and the rows of racks from above with the trays;
// fuller trays are wider and darker.

#include <cstdint>
#include <string>
#include <vector>

#include "plan/sizing/bill.hpp"
#include "plan/sizing/layout.hpp"

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

// Shared by lists as CSV and as a page: the end of a cable at a device.
struct EndRow {
  std::uint32_t cable;
  const PlanEnd* near;
  const PlanEnd* far;
};
// By device, in order of chips and ports.
std::vector<std::vector<EndRow>> ends_by_device(const Plan& plan);

// By rack, from the lowest unit up.
std::vector<std::vector<std::uint32_t>> devices_by_rack(const PlanView& view);

// "A01--B03", or "A01" within a rack.
std::string bundle_name(const PlanView& view, const Bundle& bundle);

std::string racks_svg(const PlanView& view);
std::string floor_svg(const PlanView& view);

}  // namespace fatwood
