// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Step 4 of grow(): the order of unplugging and plugging.

#include "topology/sizing/growth.hpp"

namespace fatwood {

// 0 for hosts, 1 for leaves, 2, 3 and more above, by role.
unsigned growth_level(const PlanDevice& device);

// Fills the steps.
void order_growth(Growth& growth, const GrowthOptions& options);

}  // namespace fatwood
