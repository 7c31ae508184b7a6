// SPDX-License-Identifier: BSD-3-Clause
// OSRM2 and OSRM3: single paths with the best worst case on FT(m,2) and FT(m,3) ([Yuan07], Figures
// 8 and 9). Let n = m/2, and s1 and d1 the positions of s and d under their leaves.
//
// OSRM2 divides the sources under a leaf into groups of Ns and the destinations into groups of Nd,
// and gives each pair of groups a root of its own: root (s1/Ns)*Zd + d1/Nd. (The paper has Nd in
// place of Zd, which exceeds the last root unless sqrt(n) is an integer.) An up-channel then serves
// Ns sources and a down-channel Nd destinations. The worst ratio is sqrt(m/2) if that is an
// integer.
// OSRM3 goes up to level-2 switch s1 and from there to root (s1, d1). The worst ratio is m/2.
//
// The number of children of the top switches does not matter. So both are defined here on XGFT(2;
// n,r; 1,n) and XGFT(3; n,n,r; 1,n,n) for any r. On FT(m,2) and FT(m,3) they are the paper's.

#include "routing/algebraic/algebraic.hpp"

namespace fatwood {

AlgebraicPtr make_osrm2(const TreeShape& shape, const AlgebraicOptions&) {
  const auto ceil_div = [](std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; };
  const std::uint32_t n = shape.m[0];
  std::uint32_t zd = 1;
  while ((zd + 1) * (zd + 1) <= n) ++zd;
  const std::uint32_t zs = zd * zd == n ? zd : zd + 1;
  return std::make_unique<AlgebraicRouting>(
      "osrm2", shape, DependsOn::kPair, 1,
      [n, zd, ns = ceil_div(n, zs), nd = ceil_div(n, zd)](const AlgebraicRouting&, unsigned k,
                                                          std::uint32_t s, std::uint32_t d) {
        return std::vector<PathIndex>{k == 1 ? 0 : s % n / ns * zd + d % n / nd};
      });
}
AlgebraicPtr make_osrm3(const TreeShape& shape, const AlgebraicOptions&) {
  return std::make_unique<AlgebraicRouting>(
      "osrm3", shape, DependsOn::kPair, 1,
      [n = shape.m[0]](const AlgebraicRouting&, unsigned k, std::uint32_t s, std::uint32_t d) {
        return std::vector<PathIndex>{k == 1 ? 0 : k == 2 ? s % n : s % n * n + d % n};
      });
}

}  // namespace fatwood
