// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What each loss of a cable or switch costs, which missing cable to put back first, what additions
// would give, and which two faults disconnect hosts.
//
// Results so far may be kept in a file (kept_costs.hpp): a run that was stopped continues from it.

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/faults/fault_cost.hpp"
#include "analysis/faults/put_back.hpp"
#include "topology/change/fault_pairs.hpp"

namespace fatwood {

enum class Losses : std::uint8_t { kAll, kCables, kSwitches };

struct WhatifOptions {
  Losses losses = Losses::kAll;
  std::size_t set_size = 0;    // random sets of so many cables are lost instead; 0: single losses
  std::size_t samples = 1000;  // how many sets
  std::size_t permutations = 8;
  std::vector<std::string> add = {};  // "cable@LEVEL" or "switch@LEVEL"
  std::string keep = {};              // file; "": nothing is kept
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

struct WhatifResult {
  std::string engine;
  Standing now;
  std::vector<Fault> faults;
  std::vector<FaultCost> costs;  // of each
  bool by_engine = true;         // else nothing is known of cables put back and added
  PutBackOrder put_back;
  std::vector<AddedGain> added;
  FaultPairs pairs;
  double seconds = 0;
};

// InputError for routings without tables or with groups of ports, for sets or samples of 0 or more
// cables than there are, and for what can't be added or kept. PromiseError where the fabric is not
// like a tree.
WhatifResult whatif(const Model& model, const Routing& routing, const WhatifOptions& options);

}  // namespace fatwood
