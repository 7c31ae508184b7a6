// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Adds to the check of an installation what a run of ibdiagnet knows about cables in their planned
// place:
//
// - Wrong part. A planned type with digits ("MFS1S00-H010") is a part number. It matches if one
//   text begins with the other, because plans omit revisions. Other types ("DAC", "AOC",
//   "mmf-om4") mean copper or optics. Both ends are checked, because each transceiver has its own
//   memory.
// - Wrong length. Memories have whole metres: 0.5 m is stored as 1 m. Transceivers have no length.
// - Flapping. A port counts more downs than in the earlier run, or any after its counters were
//   cleared.
// Data missing in the plan or in the run is no fault. Cost: O(cables).

#include "tasks/check_cabling.hpp"

namespace fatwood {

// `earlier` may be null.
void add_run_faults(CablingCheck& check, const Model& found, const RunData& run,
                    const EarlierRun* earlier);

}  // namespace fatwood
