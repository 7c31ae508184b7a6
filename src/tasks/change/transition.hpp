// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// In which order can switches be rewritten from old to new tables? See verify/transition.hpp.

#include <vector>

#include "verify/transition.hpp"

namespace fatwood {

// REQUIRES tables of this fabric's size. InputError unless they have the same LMC.
Transition transition(const Model& model, const Routing& old, const Routing& now, int threads = 0);

// The tables after each round, with "no route" in entries that wait for the next. The last ones are
// the new tables.
std::vector<ForwardingTables> tables_of_rounds(const ForwardingTables& old,
                                               const ForwardingTables& now,
                                               const Transition& transition);

}  // namespace fatwood
