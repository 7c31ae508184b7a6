// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The first step of grow(): which device of the new plan each old one is.

#include <cstdint>
#include <vector>

#include "topology/plan/plan.hpp"

namespace fatwood {

inline constexpr std::uint32_t kNoDevice = 0xffffffffU;

// By old device: the new one; kNoDevice: there is none.
std::vector<std::uint32_t> match_devices(const Plan& old, const Plan& wanted);

}  // namespace fatwood
