// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Changes of single cables that may help: what a technician could do with what there is.
//
// A gap is a pair of switches with fewer cables than usual (missing_cables.hpp). A stray is a cable
// that the shape does not ask for: it leads to another block, or its switches have more than usual.
// - replace: a slow cable, by one of the usual rate
// - add: a cable for a gap, if both switches have a free port; one more uplink of the switch that
//   needs it most; in a fabric that is no tree, one more between any two neighbours
// - move: a stray of one switch of a gap, to a free port of the other
// - exchange: two strays, one of each switch of a gap, exchange their other ends
// - move: an uplink of the switch that needs it least, to the switch of the same level and block
//   that needs it most and has a free port. Need is bandwidth down over bandwidth up.
// Order: by need of the lower switch, the neediest first. No change needs more ports than there
// are. Cost: O(ports), and O(gaps * strays of the switches).

#include <vector>

#include "topology/change/recabling.hpp"
#include "topology/model.hpp"

namespace fatwood {

std::vector<Recabling> cabling_candidates(const Model& model);

}  // namespace fatwood
