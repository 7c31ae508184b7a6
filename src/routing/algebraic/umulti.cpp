// SPDX-License-Identifier: BSD-3-Clause
// UMULTI ([Mahapatra12], Theorem 1), which is OMRMN of [Yuan07] on FT(m,n): every path, in equal
// shares. Optimal for every traffic: a sub-tree's traffic spreads evenly over all its W(k)u(k+1)
// cables.

#include <numeric>

#include "routing/algebraic/algebraic.hpp"

namespace fatwood {

AlgebraicPtr make_umulti(const TreeShape& shape, const AlgebraicOptions&) {
  return std::make_unique<AlgebraicRouting>(
      "umulti", shape, DependsOn::kDestination, 0xffffffffU,
      [](const AlgebraicRouting& own, unsigned k, std::uint32_t, std::uint32_t) {
        std::vector<PathIndex> all(own.space().U(k));
        std::iota(all.begin(), all.end(), 0U);
        return all;
      });
}

}  // namespace fatwood
