// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which missing cable to put back first: the fabric is evaluated with each of them added.
//
// Each missing cable (missing_cables.hpp) is put back by itself, the engine routes what there is
// then, and all-to-all among the participants is counted. First come those that give most: pairs
// that get a route, then what the worst, the 1st-percentile and the median pair get, to 1% of a
// port; then the most loaded channel at the cable's own ends. Equal ones by number. A cable that
// gives nothing, or less than nothing (an engine may route otherwise), is not listed. Cost: one
// run of the engine for each cable.

#include <vector>

#include "core/progress.hpp"
#include "core/share.hpp"
#include "routing/engine.hpp"
#include "routing/improve/standing_flows.hpp"
#include "topology/change/additions.hpp"
#include "topology/hosts/participants.hpp"

namespace fatwood {

// All send to all over these tables.
struct Standing {
  std::uint64_t pairs_lost = 0;  // of terminals that count, without a route
  Fraction mload = 0;            // as all_to_all.hpp defines it
  double gigabits = 0;           // the same
  // Rates of pairs (rates/bottleneck.hpp); 1 is the usual speed of host ports.
  double worst = 0, p1 = 0, median = 0;
  double usual_gigabits = 0;  // that speed; 0: not known
  // Of the slowest flow, mean of random permutations; 0: not asked.
  double permutation_gigabits = 0;
};

struct PutBack {
  NewCable cable;
  Standing then;
  Fraction ends_before = 0;  // the most loaded channel between switches at its two ends
  Fraction ends_after = 0;
};

struct PutBackOrder {
  Standing now;
  std::vector<PutBack> cables;  // best first, without those that give nothing
  std::size_t missing = 0;      // all that were tried
  Standing all;                 // with all of them
};

// REQUIRES the model of the participants (measured_model()).
Standing standing(const Model& model, const Routing& routing, const StandingFlows& flows,
                  int threads = 0);
// By this engine's tables, with so many random permutations (standing_permutations.hpp). Roles are
// those of `model` before: `who`.
Standing standing_with(const Model& model, const Participants& who, const Engine& engine,
                       const RouteOptions& options, std::size_t permutations = 0,
                       std::uint64_t seed = 1);

PutBackOrder find_put_back(const Model& model, const Participants& who, const Engine& engine,
                           const RouteOptions& options, const Progress& progress = {},
                           const Share& share = {});

}  // namespace fatwood
