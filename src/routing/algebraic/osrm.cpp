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

namespace {

std::uint32_t ceil_div(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }

class Osrm2 : public AlgebraicRouting {
 public:
  explicit Osrm2(const TreeShape& shape)
      : AlgebraicRouting("osrm2", shape, DependsOn::kPair, 1), n_(shape.m[0]) {
    while ((zd_ + 1) * (zd_ + 1) <= n_) ++zd_;
    const std::uint32_t zs = zd_ * zd_ == n_ ? zd_ : zd_ + 1;
    ns_ = ceil_div(n_, zs);
    nd_ = ceil_div(n_, zd_);
  }
  std::vector<PathIndex> paths(std::uint32_t s, std::uint32_t d) const override {
    if (space().common_level(s, d) == 1) return {0};
    return {s % n_ / ns_ * zd_ + d % n_ / nd_};
  }

 private:
  std::uint32_t n_;
  std::uint32_t zd_ = 1;
  std::uint32_t ns_ = 1;
  std::uint32_t nd_ = 1;
};

class Osrm3 : public AlgebraicRouting {
 public:
  explicit Osrm3(const TreeShape& shape)
      : AlgebraicRouting("osrm3", shape, DependsOn::kPair, 1), n_(shape.m[0]) {}
  std::vector<PathIndex> paths(std::uint32_t s, std::uint32_t d) const override {
    switch (space().common_level(s, d)) {
      case 1:
        return {0};
      case 2:
        return {s % n_};
      default:
        return {s % n_ * n_ + d % n_};
    }
  }

 private:
  std::uint32_t n_;
};

}  // namespace

AlgebraicPtr make_osrm2(const TreeShape& shape, const AlgebraicOptions&) {
  return std::make_unique<Osrm2>(shape);
}
AlgebraicPtr make_osrm3(const TreeShape& shape, const AlgebraicOptions&) {
  return std::make_unique<Osrm3>(shape);
}

}  // namespace fatwood
