// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a run of ibdiagnet adds to the check of an installation, for cables in their planned place:
//
// - Wrong part. A planned type with digits ("MFS1S00-H010") is a part number; one may begin with
//   the other, since plans leave out revisions. Other types ("DAC", "AOC", "mmf-om4") say copper or
//   optics. Both ends count, since each transceiver has a memory of its own.
// - Wrong length. Memories have whole metres: 0.5 m is 1 m there. Transceivers have no length.
// - Flapping. A port that counts more downs than in the earlier run, or any after its counters were
//   cleared.
// What the plan or the run does not say is no fault. Cost: O(cables).

#include "tasks/check_cabling.hpp"

namespace fatwood {

// `earlier` may be null.
void add_run_faults(CablingCheck& check, const Model& found, const RunData& run,
                    const EarlierRun* earlier);

}  // namespace fatwood
