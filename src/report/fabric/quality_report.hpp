// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Bad cables (tasks/link_quality.hpp) as text, as JSON and as findings of `check`. Man page:
// fatwood-counters(1).

#include <string>
#include <vector>

#include "report/fabric/finding_text.hpp"
#include "report/json.hpp"
#include "routing/tables/routing.hpp"
#include "tasks/link_quality.hpp"

namespace fatwood {

// Lines with line ends; empty if nothing was measured.
std::string quality_text(const Model& model, const RunData& run, const QualityResult& result,
                         std::size_t most);
// null if nothing was measured.
Json quality_json(const Model& model, const RunData& run, const QualityResult& result,
                  std::size_t most);
// One finding per cable, of the kind of its strongest sign; kind hot-device for devices.
std::vector<ReportedFinding> quality_findings(const Model& model, const RunData& run,
                                              const QualityResult& result);

// The same of a run, by limits; `routing` says what cables carry.
std::vector<ReportedFinding> quality_findings(const Model& model, const RunData& run,
                                              const Routing& routing, const QualityLimits& limits,
                                              int threads);

}  // namespace fatwood
