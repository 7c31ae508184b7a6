// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood optimise`: link usage and fault tolerance before and after, and figures
// of the search.

#include <string>
#include <vector>

#include "analysis/faults/fault_tolerance.hpp"
#include "routing/improve/optimiser.hpp"

namespace fatwood {

enum class Guard : std::uint8_t { kKept, kCyclicBefore };

struct OptimiseReport {
  std::string engine;
  Guard guard = Guard::kKept;
  OptimiseResult result;
  FaultTolerance tolerance_before, tolerance_after;
  double seconds = 0;  // of the optimiser alone
  std::vector<std::string> files;
};

std::string optimise_text(const OptimiseReport& report);
std::string optimise_json(const OptimiseReport& report);

}  // namespace fatwood
