// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Is the fabric cabled as planned, how far is the work, and what must be done?
//
// Faults of cables come from plan/match/cabling.hpp. This task adds: links below their planned
// rate (or, if the plan has no rates, below that of most links of their kind), data about cables
// from a run (cabling_run.hpp), the cost of each fault, and progress by rack, unit and level.
//
// The cost of a fault is the planned bandwidth that is missing: the rate of a cable that is missing
// or leads elsewhere, what a slow cable lacks, all cables of a device that is down. A wrong port of
// the right device costs nothing. The cost is an estimate for ranking; `fatwood whatif` computes
// with routes.

#include <cstddef>
#include <string>
#include <vector>

#include "plan/match/cabling.hpp"
#include "topology/model.hpp"
#include "topology/run_data.hpp"

namespace fatwood {

// Planned cables by state.
struct CablingProgress {
  std::string name;
  std::size_t planned = 0, right = 0, wrong = 0, missing = 0, unknown = 0;

  void add(CableState state);
};

struct CablingCheck {
  Plan plan;
  PlannedFabric planned;
  Cabling cabling;
  CablingProgress all;
  std::vector<CablingProgress> racks, units, levels;
  std::size_t moves = 0;  // cable ends to move, cables to plug and to remove

  // Something differs from the plan, and is not just missing.
  bool wrong() const;
  bool complete() const { return all.right == all.planned; }
};

// An earlier run of the same fabric.
struct EarlierRun {
  const Model& model;
  const RunData& run;
};

// `earlier` may be nullptr: then flapping links are unknown.
CablingCheck check_cabling(Plan plan, const Model& found, const RunData& run,
                           const EarlierRun* earlier = nullptr);

}  // namespace fatwood
