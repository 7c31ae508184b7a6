// SPDX-License-Identifier: BSD-3-Clause
// d-mod-k, s-mod-k and MLID: one path per pair, whose up-ports are the digits of a terminal's
// number.
//
// d-mod-k ([Mahapatra12], section 3.3; [Zahavi10], equation 3) uses the number of the destination,
// s-mod-k that of the source. MLID ([Lin04]; [Yuan07], section 5) gives a destination M(h-1)
// addresses. A source uses the address whose offset is its own rank in its sub-tree of height k-1,
// and the digits of the offset select the up-ports. So the sources of that sub-tree reach the
// destination over different roots. This needs as many paths as sources: m(l) = u(l+1). On FT(m,n)
// the paths of MLID are those of s-mod-k.
// Cost: k divisions per pair.

#include "routing/algebraic/algebraic.hpp"

namespace fatwood {

PathIndex mod_k_path(const PathSpace& space, unsigned k, std::uint32_t d) {
  PathIndex t = 0;
  for (unsigned l = 0; l < k; ++l) t = t * space.u(l + 1) + d / space.W(l) % space.u(l + 1);
  return t;
}

namespace {

PathIndex mlid_path(const PathSpace& space, unsigned k, std::uint32_t s) {
  std::uint32_t offset = s % space.M(k - 1);
  PathIndex t = 0;
  for (unsigned l = 1; l < k; ++l) {
    t = t * space.u(l + 1) + offset % space.u(l + 1);
    offset /= space.u(l + 1);
  }
  return t;
}

}  // namespace

AlgebraicPtr make_dmodk(const TreeShape& shape, const AlgebraicOptions&) {
  return std::make_unique<AlgebraicRouting>(
      "dmodk", shape, DependsOn::kDestination, 1,
      [](const AlgebraicRouting& own, unsigned k, std::uint32_t, std::uint32_t d) {
        return std::vector{mod_k_path(own.space(), k, d)};
      });
}
AlgebraicPtr make_smodk(const TreeShape& shape, const AlgebraicOptions&) {
  return std::make_unique<AlgebraicRouting>(
      "smodk", shape, DependsOn::kSource, 1,
      [](const AlgebraicRouting& own, unsigned k, std::uint32_t s, std::uint32_t) {
        return std::vector{mod_k_path(own.space(), k, s)};
      });
}
AlgebraicPtr make_mlid(const TreeShape& shape, const AlgebraicOptions&) {
  return std::make_unique<AlgebraicRouting>(
      "mlid", shape, DependsOn::kSource, 1,
      [](const AlgebraicRouting& own, unsigned k, std::uint32_t s, std::uint32_t) {
        return std::vector{mlid_path(own.space(), k, s)};
      });
}

}  // namespace fatwood
