// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What `fatwood whatif` prints, and the lines it keeps between runs.
//
// {"engine", "now": {"pairs_lost", "mload", "mload_value", "gigabits_per_second",
// "permutation_gigabits_per_second"},
//  "faults": [{"cut": "name[port]" or a list of them, "to": "name[port]", or "remove": "name";
//   "pairs_lost", "mload", "mload_value", "fullest": [from, to], "gigabits_per_second",
//   "permutation_gigabits_per_second", "entries_changed",
//   "blocks_changed", "transition": "any order" | "rounds" | "unknown"}],
//  "put_back": [{"from", "to" (names, with ports where they are known), "pairs_lost", "mload",
//   "mload_value", "gigabits_per_second", "ends_mload_before", "ends_mload_after" and their
//   values}],
//  "put_back_all": null or as "now", "pull": [{"cut", "gigabits_per_second",
//  "now_gigabits_per_second"}], "add": [{"what", "cables", "ports_lacking", as "now"}], "pairs":
//  [{"faults": [{"cut"} or {"remove"}, ...], "terminals_cut_off"}], "pairs_complete", "seconds"}
// "faults" come worst first: pairs lost, then what a host gets, the fullest channel, entries.
// "gigabits_per_second" is what a host gets when all send to all, "permutation_gigabits_per_second"
// what the slowest flow of a random permutation gets, the mean of several; null where rates are
// unknown.
//
// Kept lines: "fatwood-whatif 2 KEY" and then one fault a line; a line that was not finished, and
// all of another key, are measured again.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/faults/fault_cost.hpp"
#include "analysis/faults/put_back.hpp"
#include "topology/change/fault_pairs.hpp"

namespace fatwood {

struct AddedGain {
  std::string what;  // as it was asked for
  std::size_t cables = 0;
  std::size_t ports_lacking = 0;
  Standing then;
};

struct WhatifReport {
  std::string engine;
  Standing now;
  std::vector<Fault> faults;
  std::vector<FaultCost> costs;  // of each
  bool by_engine = true;         // else nothing is known of cables put back and added
  PutBackOrder put_back;
  std::vector<AddedGain> added;
  FaultPairs pairs;
  double seconds = 0;
};

std::string whatif_text(const Model& model, const WhatifReport& report, std::size_t top);
std::string whatif_json(const Model& model, const WhatifReport& report);
std::string whatif_csv(const Model& model, const WhatifReport& report);

std::string kept_head(std::uint64_t key);
std::string kept_line(const Fault& fault, const FaultCost& cost);
// By fault, in their order: what the text tells of them.
std::vector<std::optional<FaultCost>> read_kept(std::string_view text, std::uint64_t key,
                                                const std::vector<Fault>& faults);

}  // namespace fatwood
