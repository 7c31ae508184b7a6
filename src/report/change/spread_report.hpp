// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// `fatwood whatif --sets N --distribution`: the distribution of what the sets cost, as text and as
// the key "distribution" of the JSON.

#include <string>

#include "report/json.hpp"
#include "tasks/change/fault_spread.hpp"

namespace fatwood {

std::string spread_text(const FaultSpread& found);
Json spread_json(const FaultSpread& found);

}  // namespace fatwood
