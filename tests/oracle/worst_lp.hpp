// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The worst case of a routing by linear program, straight from its definition: for each channel,
// the traffic matrix of largest load on it such that no sub-tree sends or receives more than the
// cables that leave it, counted in the generated fabric. Solved exactly by esolver (QSopt_ex).
// Slow: one program for each channel.

#include <optional>

#include "core/fraction.hpp"
#include "routing/closed/oblivious.hpp"

namespace fatwood::oracle {

// Nothing when esolver is not installed.
std::optional<Fraction> worst_ratio_by_lp(const ObliviousRouting& routing);

}  // namespace fatwood::oracle
