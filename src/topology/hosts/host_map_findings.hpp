// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Findings about rails and names of hosts, as values like those of recognition.hpp.
//
// A crossed cable is no finding of its own where the host only numbers its adapters differently:
// its crossed cables change places among the rails of its unit, and they are more than two, or
// several hosts are alike. Two exchanged cables of a single host are more likely what they look
// like.

#include <vector>

#include "topology/recognise/finding.hpp"

namespace fatwood {

std::vector<Finding> host_map_findings(const Fabric& fabric, const HostMap& hosts);

}  // namespace fatwood
