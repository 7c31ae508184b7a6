// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood repair` and `fatwood transition`.
//
// repair: {"entries_changed", "entries_forced", "entries_least", "blocks_changed", "blocks_forced",
//  "entries", "blocks", "pairs_changed", "entries_dropped", "mload", "mload_value", "mload_forced",
//  "spare_blocks", "lanes", "routes_moved", "transition": "any order" | "rounds" | "none", "holds",
//  "seconds", "files"}
// transition: {"safe": "any order" | "rounds" | "none", "entries_changed", "dependencies",
//  "rounds": [{"write": [[switch, lid], ...], "clear": [...], "order": [switch, ...],
//  "wait_between_levels", "drain_after"}], "counter_example": null | {"kind": "loop" | "cycle",
//  "target", "switches": [...], "written": [...], "channels": [...], "lane"}}
// If there are rounds, the counter-example is what they avoid.

#include <string>
#include <vector>

#include "report/json.hpp"
#include "tasks/change/repair.hpp"

namespace fatwood {

std::string_view safety_name(Safety safety);

// `files`: the files that were written.
std::string repair_text(const RepairResult& result, const std::vector<std::string>& files = {});
std::string repair_json(const RepairResult& result, const std::vector<std::string>& files = {});

std::string transition_text(const Model& model, const ForwardingTables& tables, const Lids& lids,
                            const Transition& transition);
// The same as a value, for larger reports.
Json transition_object(const Model& model, const ForwardingTables& tables, const Lids& lids,
                       const Transition& transition);
std::string transition_json(const Model& model, const ForwardingTables& tables, const Lids& lids,
                            const Transition& transition);

}  // namespace fatwood
