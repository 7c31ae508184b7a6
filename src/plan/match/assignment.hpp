// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The assignment problem: pairs of rows and columns, each in at most one pair, with the largest sum
// of scores. Hungarian method with potentials (Kuhn, Munkres; the O(n^3) form of Jonker and
// Volgenant without their initialisation).
//
// Result: the column of each row, or kUnassigned if the score of the pair would be 0.
// Cost: O(rows^2 columns). Deterministic.

#include <cstdint>
#include <vector>

namespace fatwood {

inline constexpr std::size_t kUnassigned = ~std::size_t{0};

// REQUIRES rows of equal lengths, without negative scores.
std::vector<std::size_t> best_assignment(const std::vector<std::vector<std::int64_t>>& scores);

}  // namespace fatwood
