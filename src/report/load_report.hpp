// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What `fatwood load` prints.
//
// {"mload", "oload", "perf", "oload_kind": "theorem" | "linear program" | "lower bound", "stage",
//  "stages": [{"flows", "mload", "oload", "perf"}], "levels": [{"name", "channels", "max",
//  "mean"}], "channels": [{"channel", "load"}]}
// The first three are of the stage of largest MLOAD, whose number is "stage". Where OLOAD is only
// known from below, "oload" and "perf" are null and "oload_at_least", "perf_at_most" stand beside
// them.

#include <string>

#include "analysis/schedule_load.hpp"

namespace fatwood {

std::string load_text(const Fabric& fabric, const ScheduleLoad& load);
std::string load_json(const Fabric& fabric, const ScheduleLoad& load);

}  // namespace fatwood
