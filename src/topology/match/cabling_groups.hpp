// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Step 5 of cabling.hpp: merges swaps between the same two places into one fault.

#include <vector>

#include "topology/match/cabling.hpp"

namespace fatwood {

inline constexpr std::size_t kLeastGroup = 3;

void group_swaps(const Plan& plan, std::vector<CablingFault>& faults);

}  // namespace fatwood
