// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What `fatwood repair` and `fatwood transition` print.
//
// repair: {"entries_changed", "entries_forced", "entries_least", "blocks_changed", "blocks_forced",
//  "entries", "blocks", "pairs_changed", "entries_dropped", "mload", "mload_value", "mload_forced",
//  "spare_blocks", "lanes", "routes_moved", "transition": "any order" | "rounds" | "none", "holds",
//  "seconds", "files"}
// transition: {"safe": "any order" | "rounds" | "none", "entries_changed", "dependencies",
//  "rounds": [{"write": [[switch, lid], ...], "clear": [...], "order": [switch, ...],
//  "wait_between_levels", "drain_after"}], "counter_example": null | {"kind": "loop" | "cycle",
//  "target", "switches": [...], "written": [...], "channels": [...], "lane"}}
// A counter-example beside "rounds" is what the rounds avoid.

#include <string>
#include <vector>

#include "core/fraction.hpp"
#include "report/json.hpp"
#include "routing/repair/changes.hpp"
#include "verify/reach/pairs.hpp"
#include "verify/transition.hpp"

namespace fatwood {

std::string_view safety_name(Safety safety);

struct RepairReport {
  TableChanges changes;
  std::uint64_t entries_forced = 0;  // changed, but for what was moved to even out the load
  std::uint64_t entries_least = 0;   // that no repair can keep (verify/further_routes.hpp)
  std::uint64_t blocks_forced = 0;
  std::uint64_t entries_dropped = 0;  // of them, without a route now
  Fraction mload;                     // all to all, the fullest channel between switches
  Fraction mload_forced;              // before entries were moved that need not
  std::uint64_t spare_blocks = 0;     // sent for balance alone
  Safety transition = Safety::kNone;
  PairCounts unreachable;
  PairCounts apart;  // of those, pairs that no cables join
  std::uint64_t loops = 0;
  bool deadlock_free = false;  // on these lanes
  unsigned lanes = 1;
  std::uint64_t routes_moved = 0;  // of a switch to a target, to another lane than before
  double seconds = 0;
  std::vector<std::string> files;

  // As any tree engine promises: every pair of terminals has a route, nothing loops or deadlocks.
  bool holds() const { return unreachable.terminal_terminal == 0 && loops == 0 && deadlock_free; }
};

std::string repair_text(const RepairReport& report);
std::string repair_json(const RepairReport& report);

std::string transition_text(const Model& model, const ForwardingTables& tables, const Lids& lids,
                            const Transition& transition);
// The same as a value, for a report that tells more.
Json transition_object(const Model& model, const ForwardingTables& tables, const Lids& lids,
                       const Transition& transition);
std::string transition_json(const Model& model, const ForwardingTables& tables, const Lids& lids,
                            const Transition& transition);

}  // namespace fatwood
