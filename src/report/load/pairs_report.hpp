// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Rates of pairs of hosts in all-to-all, for `load --traffic alltoall`.
//
// Rates are per host (analysis/rates/bottleneck.hpp); null if speeds are unknown. Bottlenecks are
// the limiting links of each cut, slowest first. If all hosts take part and roles differ, "compute"
// has the same keys for compute hosts alone.

#include <cstddef>
#include <string>

#include "report/json.hpp"
#include "tasks/measured.hpp"

namespace fatwood {

// REQUIRES the measured model.
std::string pairs_text(const Model& model, const PairFigures& figures, std::size_t most);
// Adds the keys.
void add_pairs(Json& json, const Model& model, const PairFigures& figures, std::size_t most);

}  // namespace fatwood
