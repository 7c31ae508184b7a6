// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which cables to add, replace, move or exchange, so that jobs get more.
//
// In each round every candidate (cabling_candidates.hpp) is carried out by itself, the engine
// routes the fabric, and jobs are measured (lose.hpp). The best is kept, and the next round begins
// with it. As in recommend.hpp, the best has the highest mean of job efficiency and the rate of the
// worst pair (1 is a port). A round that gains less than kLeastGain is the last.
// Cost: one run of the engine for each candidate and round, in parallel over candidates. From the
// second round on only the kAgain best of the first round, and new ones, are tried.

#include <string_view>
#include <vector>

#include "tasks/change/lose.hpp"
#include "topology/change/recabling.hpp"

namespace fatwood {

inline constexpr double kLeastGain = 0.0005;  // of that mean
inline constexpr std::size_t kMostCandidates = 240;
inline constexpr std::size_t kAgain = 48;

struct CablingStep {
  Recabling change;  // of the fabric that the steps before it made
  LossFigures then;
};

struct CablingAdvice {
  std::string_view engine;
  Participants who;
  LossFigures now;
  std::vector<CablingStep> steps;
  std::size_t candidates = 0;  // of the first round
  std::size_t tried = 0;       // of these
};

struct AdviceOptions {
  std::size_t steps = 1;
  RouteOptions route = {};
  Progress progress = {};
};

CablingAdvice improve_cabling(const Model& model, const AdviceOptions& options);

}  // namespace fatwood
