// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood repair`, `fatwood transition` and `fatwood whatif --lose`, whose man
// pages explain the keys. If a transition has rounds, the counter-example is what they avoid.

#include <string>
#include <vector>

#include "report/json.hpp"
#include "tasks/change/lose.hpp"
#include "tasks/change/repair.hpp"

namespace fatwood {

std::string_view safety_name(Safety safety);

// `files`: the files that were written.
std::string repair_text(const RepairResult& result, const std::vector<std::string>& files = {});
std::string repair_json(const RepairResult& result, const std::vector<std::string>& files = {});

std::string transition_text(const Model& model, const ForwardingTables& tables, const Lids& lids,
                            const Transition& transition);
// The same as a value, for larger reports.
Json transition_object(const Model& model, const ForwardingTables& tables, const Lids& lids,
                       const Transition& transition);
std::string transition_json(const Model& model, const ForwardingTables& tables, const Lids& lids,
                            const Transition& transition);

// Rates are null if speeds are unknown.
Json loss_figures_json(const LossFigures& figures);

// "repaired" and "rerouted" are null if they are not known yet, not requested, or refused.
std::string loss_json(const LossResult& result);
// `what` is lost; `engine` routes again.
std::string loss_text(const LossResult& result, const std::string& what, const std::string& engine);

}  // namespace fatwood
