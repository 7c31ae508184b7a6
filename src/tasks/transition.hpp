// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// In which order can switches be rewritten from old to new tables? See verify/transition.hpp.

#include "verify/transition.hpp"

namespace fatwood {

// REQUIRES tables of this fabric's size. InputError unless they have the same LMC.
Transition transition(const Model& model, const Routing& old, const Routing& now, int threads = 0);

}  // namespace fatwood
