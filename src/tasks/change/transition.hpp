// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// In which order can switches be rewritten from old to new tables? See verify/transition.hpp.

#include <vector>

#include "verify/transition.hpp"

namespace fatwood {

// REQUIRES tables of this fabric's size. InputError unless they have the same LMC.
Transition transition(const Model& model, const Routing& old, const Routing& after,
                      int threads = 0);

// The tables after each round. Entries that wait for the next round have "no route". The last
// tables are the new ones.
std::vector<ForwardingTables> tables_of_rounds(const ForwardingTables& old,
                                               const ForwardingTables& after,
                                               const Transition& transition);

}  // namespace fatwood
