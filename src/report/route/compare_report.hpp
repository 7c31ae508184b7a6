// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Engines side by side (tasks/compare.hpp), as text and JSON; man fatwood-compare has the keys.

#include <string>

#include "report/json.hpp"
#include "tasks/compare.hpp"

namespace fatwood {

std::string compare_text(const Model& model, const Comparison& comparison);
// Best first. An engine that refuses has "name" and "refused"; the rest is null.
Json compare_object(const Model& model, const Comparison& comparison);
std::string compare_json(const Model& model, const Comparison& comparison);

}  // namespace fatwood
