// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood permutations`.
//
// Each has "among" (among_report.hpp).
//
// {"results": [{"routing", "mean", "half_width", "samples", "seeds"}]}, and with --shifts
// {"results": [{"routing", "worst", "worst_shift", "mean", "shifts", "conflict_free"}]}, and with
// --rates {"pattern", "results": [{"routing", "mean", "half_width", "samples", "seeds", "slowest",
// "full", "p1", "p10", "p50", "p90", "p99"}]}

#include <string>
#include <vector>

#include "analysis/permutations/permutation_rates.hpp"
#include "report/plot/svg_plot.hpp"
#include "topology/hosts/participants.hpp"

namespace fatwood {

struct PermutationRow {
  std::string routing;
  PermutationStudy study;
  unsigned seeds = 1;  // of the routing, averaged
};
struct ShiftRow {
  std::string routing;
  ShiftStudy study;
};
struct RateRow {
  std::string routing;
  RateStudy study;
  unsigned seeds = 1;
};

std::string permutations_text(const Participants& who, const std::vector<PermutationRow>& rows);
std::string permutations_json(const Participants& who, const std::vector<PermutationRow>& rows);
std::string shifts_text(const Participants& who, const std::vector<ShiftRow>& rows);
std::string shifts_json(const Participants& who, const std::vector<ShiftRow>& rows);
PlotPanel shifts_panel(const std::vector<ShiftRow>& rows);  // the load of each shift
std::string rates_text(const Participants& who, const std::vector<RateRow>& rows,
                       RatePattern pattern);
std::string rates_json(const Participants& who, const std::vector<RateRow>& rows,
                       RatePattern pattern);

}  // namespace fatwood
