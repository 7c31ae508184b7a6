// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Writers of plans. Every file can be read again by src/plan/formats. Data that a format does not
// support (lengths in .topo, racks in NetBox's cables) are left out. Cost: O(cables).
//
// - NDT: for UFM. Cables between switches are listed from both ends, as UFM compares them.
// - .topo: for `ibdiagnet -t`. Names are written without blanks; adapters are U1, U2, ...
// - NetBox: for its import of cables; the status is "planned".
// - cables: one row per cable for installers, with the places of both ends.
// - plan: JSON with everything in a Plan.

#include <map>
#include <ostream>
#include <string>
#include <string_view>

#include "plan/model/plan.hpp"

namespace fatwood {

void write_ndt(std::ostream& out, const Plan& plan);
void write_topo(std::ostream& out, const Plan& plan);
// The text of an IBNL file for each type of box in the output of write_topo: chips, panel and
// inside. The description of a type covers all its boxes: the most ports, every card.
std::map<std::string, std::string> ibnl_texts(const Plan& plan);
void write_netbox(std::ostream& out, const Plan& plan);
void write_cables(std::ostream& out, const Plan& plan);
void write_plan_json(std::ostream& out, const Plan& plan);

}  // namespace fatwood
