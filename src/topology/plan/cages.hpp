// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Cables that share a cage of a switch: two ports behind one transceiver ("1/5/1" and "1/5/2",
// "sw5p1" and "sw5p2"), or the parts of a split port.
//
// A cage holds one part. So its links have one speed and one type of cable, and, unless each link
// has its own fibre, one length. Ports of two numbers ("1/5") are not looked at: they are cage and
// port on some switches, module and port on others. Cost: O(n log n) in cables.

#include <cstdint>
#include <string_view>
#include <vector>

#include "topology/plan/plan.hpp"

namespace fatwood {

// Cables of each cage that has two or more.
std::vector<std::vector<std::uint32_t>> cages_of(const Plan& plan);

// Whether each link has a fibre of its own ("MMF", "smf-os2"), so that lengths may differ.
bool is_fibre(std::string_view type);

}  // namespace fatwood
