// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which missing cable should be put back first, and which slow cable replaced first?
//
// For each missing cable (missing_cables.hpp): add it, route with the engine, and compute
// all-to-all among the participants. Cables with the largest gain come first, compared by: pairs
// that get a route; the rate of the worst, the 1st-percentile and the median pair, to 1% of a port;
// the most loaded channel at the ends of the cable; the number. Cables without a gain are not
// listed; an engine may even route worse with a cable.
//
// Slow cables (findings of the kind slow-cable) are tried in the same way: each is replaced by one
// of the rate that is usual between its levels.
// Cost: one run of the engine per cable, in parallel over cables.

#include <vector>

#include "analysis/load/channel_use.hpp"
#include "core/progress.hpp"
#include "core/work_share.hpp"
#include "routing/engine.hpp"
#include "topology/change/additions.hpp"
#include "topology/hosts/participants.hpp"

namespace fatwood {

// Figures of all-to-all over given tables.
struct Standing {
  std::uint64_t pairs = 0;       // of counted end ports, with a route
  std::uint64_t pairs_lost = 0;  // as lost_pairs.hpp defines it
  Fraction mload = 0;            // as all_to_all.hpp defines it
  double gigabits = 0;           // as all_to_all.hpp defines it
  // Rates of pairs (rates/bottleneck.hpp); 1 is the usual speed of host ports.
  double worst = 0, p1 = 0, median = 0;
  double usual_gigabits = 0;  // that speed; 0: unknown
  // Mean rate of the slowest flow of random permutations; 0: not computed.
  double permutation_gigabits = 0;
};

struct PutBack {
  NewCable cable;
  Standing then;
  Fraction ends_before = 0;  // load of the most loaded channel between switches at its two ends
  Fraction ends_after = 0;
};

// A slow cable, at the usual rate.
struct Replaced {
  Channel cable = kNone<Channel>;  // from the lower switch
  Rate rate;                       // the usual one
  Standing then;
  Fraction ends_before = 0;  // as in PutBack
  Fraction ends_after = 0;
};

struct ReplaceOrder {
  std::vector<Replaced> cables;  // best first, without those that gain nothing
  std::size_t slow = 0;          // number of cables tried
  Standing all;                  // with all of them replaced
};

struct PutBackOrder {
  Standing now;
  std::vector<PutBack> cables;  // best first, without those that gain nothing
  std::size_t missing = 0;      // number of cables tried
  Standing all;                 // with all missing cables put back
};

// REQUIRES the model of the participants (measured_model()).
Standing standing(const Model& model, const Routing& routing, const ChannelUse& use,
                  int threads = 0);
// The same with tables of this engine. Plain tables also get random permutations
// (standing_permutations.hpp). `who`: the participants, with the roles found in `model` before the
// change.
Standing standing_with(const Model& model, const Participants& who, const Engine& engine,
                       const RouteOptions& options, std::size_t permutations = 0,
                       std::uint64_t seed = 1);

PutBackOrder find_put_back(const Model& model, const Participants& who, const Engine& engine,
                           const RouteOptions& options, const Progress& progress = {},
                           const WorkShare& share = {});
ReplaceOrder find_replace(const Model& model, const Participants& who, const Engine& engine,
                          const RouteOptions& options, const Progress& progress = {},
                          const WorkShare& share = {});

}  // namespace fatwood
