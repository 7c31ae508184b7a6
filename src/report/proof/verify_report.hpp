// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood verify`.
//
// {"holds", "pairs": {"terminal_terminal", "terminal_switch", "switch_terminal", "switch_switch"},
//  "unreachable": {the same}, "first_unreachable": null or {"source", "destination"},
//  "lids_contradicted", "first_contradicted": null or {"lid", "by_guid", "in_fabric"},
//  "loops", "first_loop": null or {"destination", "switches": [...]},
//  "faults": [{"kind", "entries", "switch", "destination"}],
//  "hops": {"mean", "longest", "histogram": [...]}, "minimal", "longer": {by kind}, "stretch",
//  "up_down": null or {"turning": {by kind}, "horizontal": {by kind}}, "deadlock_free", "lanes",
//  "dependencies": [a lane each], "cycle": [{"lane", "channel", "guid", "port", "to", "source",
//  "destination", "offset"}], "transition": as `fatwood transition` prints it, where old tables are
//  given}

#include <string>

#include "report/change/repair_report.hpp"
#include "routing/tables/lid_contradictions.hpp"
#include "verify/verify.hpp"

namespace fatwood {

// The transition from the tables in the switches.
struct FromOld {
  const Model& model;
  Lids lids;
  Transition transition;
};

// `from`: nullptr if no old tables are given.
std::string verify_text(const Fabric& fabric, const Routing& routing, const Verdict& verdict,
                        const LidContradictions& contradictions, const FromOld* from = nullptr);
std::string verify_json(const Fabric& fabric, const Routing& routing, const Verdict& verdict,
                        const LidContradictions& contradictions, const FromOld* from = nullptr);

}  // namespace fatwood
