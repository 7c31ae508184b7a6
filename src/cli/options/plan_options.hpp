// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The options of `fatwood plan`.

#include <string>

#include "cli/verb.hpp"
#include "io/plan/plan_words.hpp"
#include "tasks/plan/plan.hpp"

namespace fatwood::cli {

struct PlanArguments : PlanWords {
  std::string figures = "small";
  std::string engine = "even";
  unsigned choose = 0;
  std::string output;  // a folder; "": none
};

// Returns --hosts, which most of them need.
const Option* add_plan_options(Verb& verb, PlanArguments& arguments);

// InputError for invalid words.
PlanOptions plan_options(const PlanArguments& arguments, const Session& session);

}  // namespace fatwood::cli
