// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A loss in its three stages (tasks/change/lose.hpp), for `whatif --lose` and `serve`.

#include <string>

#include "report/json.hpp"
#include "tasks/change/lose.hpp"

namespace fatwood {

// Rates are null if speeds are unknown.
Json loss_figures_json(const LossFigures& figures);

// "repaired" and "rerouted" are null if they are not known yet, not requested, or refused.
Json loss_object(const LossResult& result);
std::string loss_json(const LossResult& result);
// `what` is lost; `engine` routes again.
std::string loss_text(const LossResult& result, const std::string& what, const std::string& engine);

}  // namespace fatwood
