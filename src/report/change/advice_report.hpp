// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood show --improve`, whose man page explains the keys.

#include <string>

#include "report/json.hpp"
#include "tasks/change/improve_cabling.hpp"

namespace fatwood {

// `fabric`: before the first step. Ports have the same names in all steps.
std::string advice_text(const Fabric& fabric, const CablingAdvice& advice);
Json advice_json(const Fabric& fabric, const CablingAdvice& advice);

}  // namespace fatwood
