// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What-if questions: the cost of losing each cable or switch, which missing cable to put back
// first, which slow cable to replace first, the gain of additions, and which two faults disconnect
// hosts.
//
// Loads, rates and lost pairs are those of compute hosts, or of given participants (measured.hpp).
// All losses are ranked by a minimal repair without rebalancing (fault_cost.hpp; for adaptive
// tables choice_cost.hpp, without permutations). The worst of each kind are then computed in all
// three stages of lose.hpp.
//
// Partial results can be kept in a file (stored_costs.hpp), so that a stopped run can continue.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/faults/fault_cost.hpp"
#include "analysis/faults/put_back.hpp"
#include "tasks/change/lose.hpp"
#include "topology/change/fault_pairs.hpp"

namespace fatwood {

enum class Losses : std::uint8_t { kAll, kCables, kSwitches };

struct WhatifOptions {
  Losses losses = Losses::kAll;
  std::size_t set_size = 0;    // lose random sets of this many cables; 0: single losses
  std::size_t samples = 1000;  // number of sets
  std::size_t permutations = 8;
  std::optional<Participants> who = {};  // none: default_participants()
  std::size_t detailed = 0;              // losses of each kind to compute in all stages
  std::vector<std::string> add = {};     // "cable@LEVEL", "switch@LEVEL", "2xswitch@LEVEL"
  std::string keep = {};                 // file for partial results; "": none
  std::uint64_t seed = 1;
  // The options with which the engine made the tables; it uses them again for put_back and add.
  RouteOptions route = {};
  Progress progress = {};
  WorkShare share = {};
  bool writes = true;  // whether this process writes the file, if several share the work
};

struct AddedGain {
  std::string what;  // as requested
  std::size_t cables = 0;
  std::size_t ports_lacking = 0;
  Standing then;
};

// A loss in all stages.
struct LossDetail {
  std::size_t fault;  // index in WhatifResult::faults
  LossFigures unrepaired, repaired;
  std::optional<LossFigures> rerouted;
};

struct WhatifResult {
  std::string engine;
  Participants who;
  Standing before;
  std::vector<Fault> faults;
  std::vector<FaultCost> costs;     // by fault
  std::vector<LossDetail> details;  // of the worst of each kind, worst first
  bool adaptive = false;            // tables
  // Whether an engine made the tables. If not, there is no put_back, no replace and no additions.
  bool by_engine = true;
  PutBackOrder put_back;
  ReplaceOrder replace;  // slow cables
  std::vector<AddedGain> added;
  FaultPairs pairs;
  double seconds = 0;
};

// Indices of faults, the worst first: by lost pairs, rates of hosts, the most loaded
// channel, entries that change.
std::vector<std::size_t> worst_first(const WhatifResult& result);

// InputError for routings without tables, for sets or samples of 0 or of more cables than there
// are, and for invalid additions or files. PromiseError if the fabric is not like a tree.
WhatifResult whatif(const Model& model, const Routing& routing, const WhatifOptions& options);

}  // namespace fatwood
