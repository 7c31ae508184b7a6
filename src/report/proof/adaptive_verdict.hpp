// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The part of `fatwood verify` about adaptive tables: every choice of a group, packets that choose
// again while they wait, kinds of packets (verify/adaptive/packet_kinds.hpp), masked ports, the
// cost of a lost cable.

#include <string>

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
