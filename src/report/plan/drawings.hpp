// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Drawings of a laid out plan as SVG: the racks with their devices, and the rows of racks from
// above with the trays; fuller trays are wider and darker.

#include <string>

#include "report/plan/cable_lists.hpp"

namespace fatwood {

std::string racks_svg(const PlanView& view);
std::string floor_svg(const PlanView& view);

}  // namespace fatwood
