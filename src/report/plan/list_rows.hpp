// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Shared by lists as CSV and as a page: the ends of cables by device, the devices by rack.

#include <cstdint>
#include <string>
#include <vector>

#include "report/plan/cable_lists.hpp"

namespace fatwood {

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

}  // namespace fatwood
