// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The assignment problem: pairs of rows and columns, each in one pair at most, with the largest sum
// of scores. Hungarian method with potentials (Kuhn, Munkres; the O(n^3) form of Jonker and
// Volgenant without their initialisation).
//
// Encoding: column of each row, or kUnassigned where the pair's score would be 0.
// Cost: O(rows^2 columns). Deterministic.

#include <cstdint>
#include <vector>

namespace fatwood {

inline constexpr std::size_t kUnassigned = ~std::size_t{0};

// REQUIRES scores of equal lengths, none negative.
std::vector<std::size_t> best_assignment(const std::vector<std::vector<std::int64_t>>& scores);

}  // namespace fatwood
