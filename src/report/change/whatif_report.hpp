// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text, JSON and CSV of `fatwood whatif`.
//
// {"engine", "now": {"pairs_lost", "mload", "mload_value", "gigabits_per_second",
// "permutation_gigabits_per_second"},
//  "faults": [{"cut": "name[port]" or a list of them, "to": "name[port]", or "remove": "name";
//   "pairs_lost", "mload", "mload_value", "fullest": [from, to], "gigabits_per_second",
//   "permutation_gigabits_per_second", "entries_changed",
//   "blocks_changed", "transition": "any order" | "rounds" | "none"}],
//  "put_back": [{"from", "to" (names, with ports where they are known), "pairs_lost", "mload",
//   "mload_value", "gigabits_per_second", "ends_mload_before", "ends_mload_after" and their
//   values}],
//  "put_back_all": null or as "now", "pull": [{"cut", "gigabits_per_second",
//  "now_gigabits_per_second"}], "add": [{"what", "cables", "ports_lacking", as "now"}], "pairs":
//  [{"faults": [{"cut"} or {"remove"}, ...], "terminals_cut_off"}], "pairs_complete", "seconds"}
// "faults" are sorted, worst first, by lost pairs, rate of a host, most loaded channel, entries.
// "mload" and "gigabits_per_second" are those of analysis/load/all_to_all.hpp; "fullest" is the
// channel with this load. "permutation_gigabits_per_second" is the mean rate of the slowest flow of
// random permutations. Rates are null if speeds are unknown.

#include <string>

#include "tasks/change/whatif.hpp"

namespace fatwood {

std::string whatif_text(const Model& model, const WhatifResult& report, std::size_t top);
std::string whatif_json(const Model& model, const WhatifResult& report);
std::string whatif_csv(const Model& model, const WhatifResult& report);

}  // namespace fatwood
