// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The worst case of a routing by linear program, straight from its definition: for each channel,
// the traffic matrix of largest load on it such that no sub-tree sends or receives more than the
// cables that leave it, counted in the generated fabric. Solved exactly by esolver (QSopt_ex).
// Slow: one program for each channel.
// And OLOAD, straight from its definition too: flows to each destination over all channels, as
// one program.

#include <optional>

#include "core/fraction.hpp"
#include "routing/algebraic/algebraic.hpp"
#include "routing/tables/path_source.hpp"
#include "topology/model.hpp"
#include "traffic/traffic.hpp"

namespace fatwood::oracle {

// Nothing when esolver is not installed.
std::optional<Fraction> worst_ratio_by_lp(const AlgebraicRouting& routing);
// The same of any routing of a generated tree; hosts may have several ports.
std::optional<Fraction> worst_ratio_of_tree_by_lp(const Model& model, const PathSource& paths);

// Of one path for each pair, on any fabric: the traffic of each program is what can be routed.
// REQUIRES hosts with one port, channels of one speed.
std::optional<Fraction> worst_ratio_by_lp(const Model& model, const PathSource& paths);

// The least load of the most loaded channel. REQUIRES hosts with one port, channels of one speed.
std::optional<Fraction> least_load_by_lp(const Model& model, const Traffic& traffic);

}  // namespace fatwood::oracle
