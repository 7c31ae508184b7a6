// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lower bounds on the load of the most loaded channel between switches, from the cuts of a tree.
// All traffic that leaves or enters a part of the fabric crosses the channels of that part.
//
// Parts: each switch with terminals; for each level, each component formed by the switches up to
// it. Cost: O(cables) per level, and O(demands) if pairs are given.

#include <cstdint>

#include "core/fraction.hpp"
#include "routing/even/even_net.hpp"

namespace fatwood {

// In flows divided by capacity.
Fraction tree_cut_bound(const EvenNet& net, const UpDownOrder& up_down);
// The smallest possible load, with tables, of the most loaded channel out of a switch with
// terminals. All its terminals use one channel to an address, so channels carry multiples of what
// they send. For given demands: the most that a switch sends to one address.
Fraction table_bound(const EvenNet& net);
// The bound of cuts for all-to-all between counted terminals, each with one address.
// REQUIRES is_joined(model): otherwise it would count flows that nobody can send.
Fraction all_to_all_bound(const Model& model);

}  // namespace fatwood
