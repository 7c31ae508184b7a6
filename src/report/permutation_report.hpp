// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What `fatwood permutations` prints.
//
// {"results": [{"routing", "mean", "half_width", "samples", "seeds"}]}, and with --shifts
// {"results": [{"routing", "worst", "worst_shift", "mean", "shifts", "conflict_free"}]}

#include <string>
#include <utility>
#include <vector>

#include "analysis/permutation_study.hpp"

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

std::string permutations_text(const std::vector<PermutationRow>& rows);
std::string permutations_json(const std::vector<PermutationRow>& rows);
std::string shifts_text(const std::vector<ShiftRow>& rows);
std::string shifts_json(const std::vector<ShiftRow>& rows);

}  // namespace fatwood
