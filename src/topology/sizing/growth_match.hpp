// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Step 1 of grow(): matches old devices with devices of the new plan.

#include <cstdint>
#include <vector>

#include "topology/plan/plan.hpp"

namespace fatwood {

inline constexpr std::uint32_t kNoDevice = 0xffffffffU;

// By old device: the new one, or kNoDevice.
std::vector<std::uint32_t> match_devices(const Plan& old, const Plan& wanted);

}  // namespace fatwood
