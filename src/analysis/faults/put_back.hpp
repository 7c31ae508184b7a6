// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a fabric would be with cables more: which missing cable to put back first.
//
// Each missing cable (missing_cables.hpp) is put back by itself, the engine routes what there is
// then, and all-to-all is counted. First come those that give most: pairs that get a route, then
// what a host gets, then the most loaded channel of all, then that at the cable's own ends (a
// fabric is as good as its worst leaf: a cable elsewhere helps those near it alone). Equal ones by
// number. Cost: one run of the engine for each cable.

#include <vector>

#include "core/progress.hpp"
#include "core/share.hpp"
#include "routing/engine.hpp"
#include "routing/improve/standing_flows.hpp"
#include "topology/change/additions.hpp"

namespace fatwood {

// All send to all over these tables.
struct Standing {
  std::uint64_t pairs_lost = 0;  // of terminals that count, without a route
  Fraction mload = 0;            // as all_to_all.hpp defines it
  double gigabits = 0;           // the same
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
  std::vector<PutBack> cables;  // best first
  Standing all;                 // with all of them
};

Standing standing(const Model& model, const ForwardingTables& tables, const StandingFlows& flows);
// By this engine's tables, with so many random permutations (standing_permutations.hpp).
Standing standing_with(const Model& model, const Engine& engine, const RouteOptions& options,
                       std::size_t permutations = 0, std::uint64_t seed = 1);

PutBackOrder find_put_back(const Model& model, const Engine& engine, const RouteOptions& options,
                           const Progress& progress = {}, const Share& share = {});

}  // namespace fatwood
