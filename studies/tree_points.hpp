// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What several studies measure of an algebraic routing on a complete tree.

#include <memory>
#include <string>

#include "analysis/permutations/permutation_study.hpp"
#include "routing/tables/path_source.hpp"
#include "topology/fabric.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

// The algebraic routing's paths. REQUIRES a complete tree.
std::unique_ptr<PathSource> algebraic(const Fabric& tree, const std::string& routing,
                                      std::uint64_t seed);

// The exact oblivious ratio.
Fraction exact_ratio(const Fabric& tree, const std::string& routing, std::uint64_t seed,
                     int threads);

// PERF of a traffic: MLOAD/OLOAD.
double performance(const Fabric& tree, const PathSource& paths, const Traffic& traffic,
                   int threads);

}  // namespace fatwood
