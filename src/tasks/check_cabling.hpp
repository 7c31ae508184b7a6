// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Is the fabric cabled as planned, how far is it, and what is to be done?
//
// Cables come from topology/match/cabling.hpp. Added here: links below their planned rate (or,
// where the plan has no rates, below that of most links of their kind), what a run says of cables
// (cabling_run.hpp), what each fault costs, and progress by rack, unit and level.
//
// The cost of a fault is planned bandwidth that is not there: the rate of a cable that is missing
// or leads elsewhere, what a slow one lacks, all cables of a device that is down. A wrong port of
// the right device costs nothing. An estimate to rank faults: `fatwood whatif` computes with
// routes.

#include <cstddef>
#include <string>
#include <vector>

#include "topology/match/cabling.hpp"
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

  // Something is other than planned, not just absent.
  bool wrong() const;
  bool complete() const { return all.right == all.planned; }
};

// A run at an earlier time, of the same fabric.
struct EarlierRun {
  const Model& model;
  const RunData& run;
};

// `earlier` may be null: then nothing is known of flapping links.
CablingCheck check_cabling(Plan plan, const Model& found, const RunData& run,
                           const EarlierRun* earlier = nullptr);

}  // namespace fatwood
