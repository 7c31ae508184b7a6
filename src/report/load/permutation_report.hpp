// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood permutations`, with --shifts and with --rates.

#include <string>
#include <vector>

#include "report/plot/plot.hpp"
#include "tasks/permutations.hpp"

namespace fatwood {

std::string permutations_text(const Participants& who, const std::vector<PermutationRow>& rows);
std::string permutations_json(const Participants& who, const std::vector<PermutationRow>& rows);
std::string shifts_text(const Participants& who, const std::vector<ShiftRow>& rows);
std::string shifts_json(const Participants& who, const std::vector<ShiftRow>& rows);
PlotPanel shifts_panel(const std::vector<ShiftRow>& rows);  // the load of each shift
std::string rates_text(const Participants& who, const std::vector<RateRow>& rows,
                       RatePattern pattern);
std::string rates_json(const Participants& who, const std::vector<RateRow>& rows,
                       RatePattern pattern);

}  // namespace fatwood
