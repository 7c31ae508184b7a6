// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Findings about a fabric (topology/recognise/finding.hpp) as sentences with the names of ports, so
// that a technician can act on them.

#include <string>
#include <vector>

#include "topology/recognise/recognition.hpp"

namespace fatwood {

struct ReportedFinding {
  FindingKind kind{};
  std::string sentence;
  std::vector<Channel> ports;
  std::vector<Node> nodes;
  double cost = 0;  // in hosts' worth of bandwidth (topology/recognise/recognition.hpp)
  Severity severity = Severity::kWarn;
};

std::string finding_sentence(const Fabric& fabric, const Labels& labels, const Levels& levels,
                             const Finding& finding);

// The same for findings of address_findings(), which need no levels.
std::string address_sentence(const Labels& labels, const Finding& finding);

// The most costly first; then by kind, level of the first switch and sentence.
std::vector<ReportedFinding> reported_findings(const Fabric& fabric, const Recognition& known);

}  // namespace fatwood
