// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood plan`: alternatives side by side.

#include <string>

#include "report/plan/cable_lists.hpp"
#include "tasks/plan/plan.hpp"

namespace fatwood {

std::string plan_text(const PlanOptions& options, const PlanResult& result);
std::string plan_json(const PlanOptions& options, const PlanResult& result);

// For one plan with its layout: racks, cables by type and length, trays.
std::string layout_text(const PlanView& view);
std::string layout_json(const PlanView& view);

}  // namespace fatwood
