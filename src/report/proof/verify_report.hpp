// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood verify` and `fatwood trace`, whose man pages explain the keys.

#include <string>

#include "report/change/repair_report.hpp"
#include "report/proof/ethernet_verdict.hpp"
#include "routing/tables/lids.hpp"
#include "routing/tables/packet_path.hpp"
#include "verify/verify.hpp"

namespace fatwood {

// The transition from the tables in the switches.
struct FromOld {
  const Model& model;
  Lids lids;
  Transition transition;
};

// `from`: nullptr if no old tables are given. `ethernet`: nullptr for other fabrics.
std::string verify_text(const Fabric& fabric, const Routing& routing, const Verdict& verdict,
                        const LidContradictions& contradictions, const FromOld* from = nullptr,
                        const EthernetFacts* ethernet = nullptr);
std::string verify_json(const Fabric& fabric, const Routing& routing, const Verdict& verdict,
                        const LidContradictions& contradictions, const FromOld* from = nullptr,
                        const EthernetFacts* ethernet = nullptr);

std::string trace_text(const Fabric& fabric, const PacketPath& trace, unsigned lane);
std::string trace_json(const Fabric& fabric, const PacketPath& trace, unsigned lane);

}  // namespace fatwood
