// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Repaired tables leave a switch without an entry where no route climbs and then descends. An
// engine that routes those pairs too (sftree) has further routes for them: taken over from fresh
// tables of the same fabric, and kept only if the whole can be proved.
//
// Method: entries that are missing are taken from the fresh tables; the result must have no loop,
// no deadlock on one lane, and lose no pair of terminals that the fresh tables have. If it fails,
// the repaired tables alone are tried. Cost: that of the proofs.

#include <optional>

#include "routing/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

// Nothing when neither can be proved. REQUIRES tables of one size and LMC, of this fabric.
std::optional<ForwardingTables> take_further_routes(const Model& model,
                                                    const ForwardingTables& repaired,
                                                    const Routing& fresh, int threads = 0);

}  // namespace fatwood
