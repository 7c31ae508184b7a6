// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The folder of `fatwood plan -o DIR`: the plan, lists, a page to print, drawings.

#include <string>

#include "cli/command_line.hpp"
#include "report/plan/cable_lists.hpp"

namespace fatwood::cli {

// Declares the files, so that files of others are not replaced.
void add_plan_files(Outputs& outputs, const std::string& folder);
// Writes all files or none.
void write_plan_files(const std::string& folder, const PlanView& view, const PriceList* prices,
                      const std::string& title);

}  // namespace fatwood::cli
