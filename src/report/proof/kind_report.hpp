// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The part of `fatwood verify` about kinds of packets on adaptive tables
// (verify/adaptive/packet_kinds.hpp).

#include <string>
#include <vector>

#include "report/json.hpp"
#include "verify/adaptive/packet_kinds.hpp"

namespace fatwood {

// A line of titles, then one line per kind.
std::vector<std::string> kind_lines(const Fabric& fabric, const std::vector<KindVerdict>& kinds);
// By kind of source and destination.
Json by_kind(const PairCounts& counts);
Json kinds_json(const std::vector<KindVerdict>& kinds);

}  // namespace fatwood
