// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The cost of each loss of a cable or switch, which missing cable to put back first, what additions
// would give, and which two faults disconnect hosts.
//
// Loads, rates and lost pairs are those of compute hosts, unless others are to take part
// (measured.hpp). All losses are ranked by one repair of as few entries as possible, without
// balancing (fault_cost.hpp). The first of each kind are then computed three ways (lose.hpp).
//
// Results so far may be kept in a file (kept_costs.hpp): a run that was stopped continues from it.

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
  std::size_t set_size = 0;    // random sets of so many cables are lost instead; 0: single losses
  std::size_t samples = 1000;  // how many sets
  std::size_t permutations = 8;
  std::optional<Participants> who = {};  // none: default_participants()
  std::size_t detailed = 0;              // losses of each kind that are computed in three ways
  std::vector<std::string> add = {};     // "cable@LEVEL", "switch@LEVEL", "2xswitch@LEVEL"
  std::string keep = {};                 // file; "": nothing is kept
  std::uint64_t seed = 1;
  RouteOptions route = {};  // how the engine made the tables; put_back and add route again
  Progress progress = {};
  Share share = {};
  bool writes = true;  // the file; one of the processes that share the work
};

struct AddedGain {
  std::string what;  // as it was asked for
  std::size_t cables = 0;
  std::size_t ports_lacking = 0;
  Standing then;
};

// A loss three ways.
struct LossDetail {
  std::size_t fault;  // number in WhatifResult::faults
  LossFigures unrepaired, repaired;
  std::optional<LossFigures> rerouted;
};

struct WhatifResult {
  std::string engine;
  Participants who;
  Standing now;
  std::vector<Fault> faults;
  std::vector<FaultCost> costs;     // of each
  std::vector<LossDetail> details;  // of the worst of each kind, worst first
  bool by_engine = true;            // else nothing is known of cables put back and added
  PutBackOrder put_back;
  std::vector<AddedGain> added;
  FaultPairs pairs;
  double seconds = 0;
};

// Numbers of faults, the worst first: by pairs lost, what hosts get, the most loaded channel.
std::vector<std::size_t> worst_first(const WhatifResult& result);

// InputError for routings without tables or with groups of ports, for sets or samples of 0 or more
// cables than there are, and for what can't be added or kept. PromiseError where the fabric is not
// like a tree.
WhatifResult whatif(const Model& model, const Routing& routing, const WhatifOptions& options);

}  // namespace fatwood
