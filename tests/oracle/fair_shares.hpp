// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Max-min fair shares by the definition, in exact fractions: raise all open variables together
// until some link or cap stops one, look for all that are stopped, again. Slow: every round looks
// at every link and variable.

#include <boost/multiprecision/cpp_int.hpp>
#include <vector>

#include "analysis/rates/max_min.hpp"

namespace fatwood::oracle {

using Exact = boost::multiprecision::cpp_rational;

// Doubles and floats of the problem are taken as the fractions they are.
std::vector<Exact> fair_shares(const ShareProblem& problem);

// Whether the shares are feasible, and every variable is at its cap or has a full link on which it
// is among the largest. By theorem, such shares are max-min fair. `slack` is relative.
bool is_max_min(const ShareProblem& problem, const Shares& shares, double slack);

}  // namespace fatwood::oracle
