// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood plan`: alternatives side by side; --check: findings in sentences, those
// of tree and rails included; --grow: what is added, what is recabled, and the steps.

#include <string>

#include "plan/report/cable_lists.hpp"
#include "plan/task/check_plan.hpp"
#include "plan/task/grow_plan.hpp"
#include "plan/task/plan.hpp"

namespace fatwood {

std::string plan_text(const PlanOptions& options, const PlanResult& result);
std::string plan_json(const PlanOptions& options, const PlanResult& result);

// For one plan with its layout: racks, cables by type and length, trays.
std::string layout_text(const PlanView& view);
std::string layout_json(const PlanView& view);

std::string growth_text(const GrowResult& result, const GrowOptions& options);
std::string growth_json(const GrowResult& result, const GrowOptions& options);
// One row per cable, in order of the steps.
std::string growth_csv(const GrowResult& result);

std::string plan_check_text(const PlanCheck& check, const Plan& plan, const Model& model);
std::string plan_check_json(const PlanCheck& check, const Plan& plan, const Model& model);

}  // namespace fatwood
