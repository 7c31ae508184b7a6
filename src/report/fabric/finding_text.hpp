// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What is odd about a fabric (topology/recognise/finding.hpp), in sentences, with the names of
// ports, so that a technician can act on it.

#include <string>
#include <vector>

#include "topology/recognise/recognition.hpp"
#include "topology/recognise/severity.hpp"

namespace fatwood {

struct ReportedFinding {
  std::string_view
      kind;  // as topology/recognise/finding.hpp has them; file: what a reader had to say
  std::string sentence;
  std::vector<Channel> ports;
  std::vector<Node> nodes;
  double cost = 0;  // in hosts' worth of bandwidth (topology/recognise/finding_costs.hpp)
  Severity severity = Severity::kWarn;
};

std::string finding_sentence(const Fabric& fabric, const Labels& labels, const Levels& levels,
                             const Finding& finding);

// The same for what address_findings() finds: that needs no levels.
std::string address_sentence(const Labels& labels, const Finding& finding);

// The dearest first; equally dear ones by kind, level of the first switch and sentence.
std::vector<ReportedFinding> reported_findings(const Fabric& fabric, const Recognition& known);

}  // namespace fatwood
