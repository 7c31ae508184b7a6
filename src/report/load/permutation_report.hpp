// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood permutations`, with --shifts and with --rates.

#include <string>
#include <vector>

#include "analysis/permutations/permutation_rates.hpp"
#include "report/plot/plot.hpp"
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
