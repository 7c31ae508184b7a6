// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Engines side by side (tasks/compare.hpp), as text and JSON.

#include <string>

#include "report/json.hpp"
#include "tasks/compare.hpp"

namespace fatwood {

std::string compare_text(const Model& model, const Comparison& comparison);
// {"engines": [{"name", "seconds", "deadlock_free", "promises_deadlock_free", "kept",
//  "refused", "lanes", "unreachable": {by kind}, "apart": {by kind}, "loops", "hops": {"mean",
//  "longest"}, "mload", "mload_value" (all_to_all.hpp), "use": {"largest", "mean", "deviation"},
//  "destinations": {the same}, "worst_gbps", "p1_gbps", "median_gbps" (null: no speed is known),
//  "worst_share", "p1_share", "median_share" (of a port), "gain", "evenness_mean",
//  "evenness_worst", "shift": {"shifts", "conflicted", "conflicts", "channels", "largest",
//  "mean_largest"}, "adaptive", "demanded"}], "among", "baseline", "left_out": [..],
//  "recommendation": {"engine", "reason", "all_equal", "keep_current"}}; best first. An engine that
//  refuses has "name" and "refused"; the rest is null. No recommendation: null.
Json compare_object(const Model& model, const Comparison& comparison);
std::string compare_json(const Model& model, const Comparison& comparison);

}  // namespace fatwood
