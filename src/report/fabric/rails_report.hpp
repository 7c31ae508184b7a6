// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The part of `fatwood show` on hosts, rails and units (topology/hosts/rails.hpp).

#include <string>
#include <vector>

#include "report/fabric/finding_text.hpp"
#include "report/json.hpp"
#include "topology/hosts/rails.hpp"

namespace fatwood {

// Lines with line ends; empty if every host has one adapter.
std::string rails_text(const Fabric& fabric, const HostMap& hosts);

Json rails_json(const Fabric& fabric, const HostMap& hosts);

// host_map_findings() as sentences.
std::vector<ReportedFinding> reported_findings(const Fabric& fabric, const HostMap& hosts);

}  // namespace fatwood
