// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood plan --grow`: what is added, what is recabled, and the steps.

#include <string>

#include "tasks/plan/grow_plan.hpp"

namespace fatwood {

std::string growth_text(const GrowResult& result, const GrowOptions& options);
std::string growth_json(const GrowResult& result, const GrowOptions& options);
// One row per cable, in order of the steps.
std::string growth_csv(const GrowResult& result);

}  // namespace fatwood
