// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Files of faults, one per line: "cut WHAT", "remove WHAT", "speed WHAT RATE" or "add WHAT", with
// WHAT as in topology/change/faults.hpp. Comments start with '#' at the start of a line or after
// white space.

#include <string>
#include <vector>

#include "topology/change/faults.hpp"

namespace fatwood {

class Input;

// InputError with file, line and column.
std::vector<FaultRequest> read_faults(Input& input);
std::vector<FaultRequest> read_faults(const std::string& path);

}  // namespace fatwood
