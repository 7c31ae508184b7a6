// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood plan --check`: findings in sentences, those of tree and rails included.

#include <string>

#include "tasks/plan/check_plan.hpp"

namespace fatwood {

std::string plan_check_text(const PlanCheck& check, const Plan& plan, const Model& model);
std::string plan_check_json(const PlanCheck& check, const Plan& plan, const Model& model);

}  // namespace fatwood
