// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood trace` where switches choose among ports, and of a host that pauses
// (`fatwood whatif --pause`).

#include <string>

#include "tasks/ethernet/flow_path.hpp"
#include "tasks/ethernet/pause_spread.hpp"

namespace fatwood {

// `labels`: of ports by channel, or empty.
std::string choices_text(const Fabric& fabric, const Names& labels, const FlowPaths& paths);
std::string choices_json(const Fabric& fabric, const Names& labels, const FlowPaths& paths);

std::string pause_text(const Model& model, const Names& labels, const PauseSpread& spread,
                       std::size_t top);
std::string pause_json(const Model& model, const Names& labels, const PauseSpread& spread);

}  // namespace fatwood
