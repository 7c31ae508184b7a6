// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The part of `fatwood verify` about adaptive tables: every choice of a group, packets that choose
// again while they wait, masked ports, the cost of a lost cable.
//
// "adaptive": {"joined_by_some_choice": {by kind}, "fewest_hops_mean", "masked_safe",
//  "risky_entries", "first_risky": null or {"switch", "destination", "port", "group"},
//  "default_ports_hold", "kinds": see kind_report.hpp, "coverage": {"rows": [{"level", "way",
//  "entries", "one_port"}], "pairs", "exposed", "exposed_notified", "first": null or {"source",
//  "destination", "cable"}}, "rechoosing": null or {"deadlock_free", "assumption", "stuck",
//  "first_stuck": [{"channel", "to", "source", "destination", "group"}]}}

#include "report/json.hpp"
#include "report/proof/verify_lines.hpp"
#include "verify/verify.hpp"

namespace fatwood {

void add_some_choice(Lines& lines, const Fabric& fabric, const Routing& routing,
                     const SomeChoice& some);
// REQUIRES verdict.adaptive, as adaptive_json does.
void add_adaptive(Lines& lines, const Fabric& fabric, const Routing& routing,
                  const Verdict& verdict);
Json adaptive_json(const Fabric& fabric, const Routing& routing, const Verdict& verdict);

}  // namespace fatwood
