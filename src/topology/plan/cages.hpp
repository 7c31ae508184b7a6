// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Cables that share a cage of a switch: two ports behind one transceiver ("1/5/1" and "1/5/2",
// "sw5p1" and "sw5p2"), or the parts of a split port.
//
// A cage holds one transceiver. So its links have one speed and one type of cable, and one length
// unless each link has its own fibre. Ports with two numbers ("1/5") are skipped: on some switches
// they mean cage and port, on others module and port. Cost: O(n log n) for n cables.

#include <cstdint>
#include <string_view>
#include <vector>

#include "topology/plan/plan.hpp"

namespace fatwood {

// The cables of each cage with two or more.
std::vector<std::vector<std::uint32_t>> cages_of(const Plan& plan);

// Whether each link has its own fibre ("MMF", "smf-os2"), so that lengths may differ.
bool is_fibre(std::string_view type);

}  // namespace fatwood
