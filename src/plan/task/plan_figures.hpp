// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What compute hosts of a design get, intact and with one switch of each level missing. The fabric
// is routed and a switch is removed. Then the tables are repaired (tasks/change/lose.hpp), and also
// made from scratch. Figures are bottleneck rates of all-to-all between compute hosts
// (analysis/rates/bottleneck.hpp).
//
// Planes are separate and alike, so only one is computed. The lost switch is the one with the most
// cables of its level (the first on a tie); a director is lost as a whole.

#include <cstdint>
#include <string>
#include <vector>

#include "plan/sizing/design.hpp"

namespace fatwood {

struct HostRates {
  double worst_gbps = 0, p1_gbps = 0, median_gbps = 0;  // of pairs that have a route
  double port_gbps = 0;
  std::uint64_t pairs = 0;  // ordered, with a route
};

struct SwitchLoss {
  std::string role, name;
  HostRates rerouted;  // by the engine
  HostRates repaired;  // as `fatwood repair` does it
  // The better one, by the worst pair.
  const HostRates& rates() const {
    return repaired.worst_gbps > rerouted.worst_gbps ? repaired : rerouted;
  }
  std::uint64_t pairs_lost = 0;
  std::string fault;  // the reason if it could not be computed; "": it was
};

struct PlanFigures {
  std::string engine;
  HostRates intact;
  std::vector<SwitchLoss> losses;  // from the leaves upwards
};

struct FigureOptions {
  std::string engine = "even";
  int threads = 0;
};

// InputError for an unknown or an adaptive engine.
PlanFigures plan_figures(const Design& design, const FigureOptions& options);

}  // namespace fatwood
