// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lower bounds on the load of the most loaded channel between switches, from the cuts of a tree:
// all traffic that leaves or enters a part of the fabric crosses the channels of that part.
//
// The parts are: each switch with terminals; and, for each level, each connected component of the
// switches up to that level. Cost: O(cables) per level, and O(demands) if demands are given.

#include <cstdint>

#include "core/fraction.hpp"
#include "routing/even/even_net.hpp"

namespace fatwood {

// In flows divided by capacity.
Fraction tree_cut_bound(const EvenNet& net, const UpDownOrder& up_down);
// The smallest possible load, with tables, of the most loaded channel out of a switch with
// terminals. All its terminals use one channel towards an address, so a channel carries a multiple
// of what they send to it together. For given demands: the most that a switch sends to one address.
Fraction table_bound(const EvenNet& net);
// The bound of cuts for all-to-all between counted terminals, each with one address. REQUIRES
// is_joined(model): otherwise it would count flows between disconnected hosts.
Fraction all_to_all_bound(const Model& model);

}  // namespace fatwood
