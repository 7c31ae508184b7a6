// SPDX-License-Identifier: BSD-3-Clause
// UMULTI ([Mahapatra12], Theorem 1), which is OMRMN of [Yuan07] on FT(m,n): every path, in equal
// shares. Optimal for every traffic: a sub-tree's traffic spreads evenly over all its W(k)u(k+1)
// cables.

#include <numeric>

#include "routing/algebraic/algebraic.hpp"

namespace fatwood {

namespace {

class UMulti : public AlgebraicRouting {
 public:
  explicit UMulti(const TreeShape& shape)
      : AlgebraicRouting("umulti", shape, DependsOn::kDestination, 0xffffffffU) {}
  std::vector<PathIndex> paths(std::uint32_t s, std::uint32_t d) const override {
    std::vector<PathIndex> all(space().U(space().common_level(s, d)));
    std::iota(all.begin(), all.end(), 0U);
    return all;
  }
};

}  // namespace

AlgebraicPtr make_umulti(const TreeShape& shape, const AlgebraicOptions&) {
  return std::make_unique<UMulti>(shape);
}

}  // namespace fatwood
