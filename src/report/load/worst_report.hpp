// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood worst`: the exact worst case of a complete tree, or bounds elsewhere.

#include <string>

#include "report/json.hpp"
#include "tasks/worst.hpp"
#include "topology/hosts/participants.hpp"

namespace fatwood {

std::string worst_text(const Model& model, const WorstReport& report, const Participants& who);
std::string worst_json(const Model& model, const WorstReport& report, const Participants& who);
Json worst_object(const Model& model, const WorstReport& report);

}  // namespace fatwood
