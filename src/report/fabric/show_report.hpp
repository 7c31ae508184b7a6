// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood show`, whose man page explains the keys.
//
// Levels are listed from the leaves up in JSON, from the top down in text. Findings are sorted by
// cost, in hosts' worth of bandwidth (topology/recognise/recognition.hpp).

#include <string>
#include <vector>

#include "report/fabric/finding_text.hpp"
#include "report/json.hpp"
#include "topology/hosts/rails.hpp"
#include "topology/hosts/roles.hpp"
#include "topology/recognise/capacity.hpp"
#include "topology/recognise/recognition.hpp"
#include "topology/run_data.hpp"

namespace fatwood {

// Data of a diagnostic run in addition to the fabric.
struct RunFacts {
  std::size_t known_switches = 0;     // with known adaptive routing settings
  std::size_t adaptive_switches = 0;  // with adaptive routing on
  std::size_t counted_ports = 0;      // with counters
};

struct ShowReport {
  std::string format;  // "spec", "ibnetdiscover", ...
  std::vector<std::string> warnings;
  Recognition known;
  Capacity capacity;
  RunFacts run{};
  HostMap hosts{};
  Roles roles{};
};

ShowReport show_report(const Model& model, std::string format, std::vector<std::string> warnings,
                       const RunData& run = {});

// In the order of text and JSON: the most costly first, then warnings of the reader, then findings
// about hosts.
std::vector<ReportedFinding> reported_findings(const Fabric& fabric, const ShowReport& report);

enum class Detail { kSome, kAll };  // of the findings

// Lines of findings are wrapped at this many columns; 0: not at all.
std::string show_text(const Fabric& fabric, const ShowReport& report, Detail detail,
                      std::size_t columns = 0);
std::string show_json(const Fabric& fabric, const ShowReport& report);
Json show_object(const Fabric& fabric, const ShowReport& report);

}  // namespace fatwood
