// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Names the hosts that a figure is about (topology/hosts/participants.hpp), in every report.

#include <string>

#include "report/json.hpp"
#include "topology/hosts/participants.hpp"

namespace fatwood {

// A line "among all: 3664 compute and 11 service adapters"; empty if all take part and are compute.
std::string among_line(const Participants& who);

// {"hosts": "all" | "compute" | "storage" | "service" | FILE, "adapters", "compute", "storage",
//  "service"}, the value of the key "among"
Json among_json(const Participants& who);

}  // namespace fatwood
