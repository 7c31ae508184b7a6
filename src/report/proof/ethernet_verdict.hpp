// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What `fatwood verify` says of Ethernet only: classes of addresses, priorities, narrow groups, and
// settings that differ at the two ends of a cable. The keys are in fatwood-verify(1).

#include "report/json.hpp"
#include "report/proof/verify_lines.hpp"
#include "routing/tables/prefixes.hpp"
#include "verify/priorities/priorities.hpp"
#include "verify/verify.hpp"

namespace fatwood {

struct EthernetFacts {
  const Prefixes& prefixes;
  const Names& labels;  // of ports by channel, or empty
  std::vector<PfcMismatch> mismatches = {};
};

// "leaf1[swp3]", or "leaf1[3]" without labels.
std::string interface_text(const Fabric& fabric, const Names& labels, Channel c);

void add_ethernet(Lines& lines, const Fabric& fabric, const Routing& routing,
                  const Verdict& verdict, const EthernetFacts& facts);
void add_ethernet(Json& json, const Fabric& fabric, const Routing& routing, const Verdict& verdict,
                  const EthernetFacts& facts);

}  // namespace fatwood
