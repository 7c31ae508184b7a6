// SPDX-License-Identifier: BSD-3-Clause
// disjoint(K) ([Mahapatra12], section 4.2.3): the d-mod-k path i and K-1 others, chosen so that the
// paths separate at the lowest level possible. Path number j adds the mixed-radix digits of j,
// radix u(1) first, each times the stride X/U(l+1) of its level, mod X = U(k). So the port of the
// lowest level varies fastest. (The paper's "if K > w2" is off by one level; this rule gives its
// example.)

#include <string>

#include "routing/algebraic/algebraic.hpp"

namespace fatwood {

namespace {

// Path number j, counted from path i.
PathIndex step(const PathSpace& space, unsigned k, PathIndex i, std::uint32_t j) {
  const std::uint32_t X = space.U(k);
  std::uint64_t t = i;
  for (unsigned l = 0; l < k; ++l) {
    t += std::uint64_t{j % space.u(l + 1)} * (X / space.U(l + 1));
    j /= space.u(l + 1);
  }
  return static_cast<PathIndex>(t % X);
}

}  // namespace

AlgebraicPtr make_disjoint(const TreeShape& shape, const AlgebraicOptions& options) {
  return std::make_unique<AlgebraicRouting>(
      "disjoint:" + std::to_string(options.paths), shape, DependsOn::kDestination, options.paths,
      [](const AlgebraicRouting& own, unsigned k, std::uint32_t, std::uint32_t d) {
        const PathIndex i = mod_k_path(own.space(), k, d);
        std::vector<PathIndex> chosen(own.num_paths(k));
        for (std::uint32_t j = 0; j < chosen.size(); ++j) chosen[j] = step(own.space(), k, i, j);
        return chosen;
      });
}

}  // namespace fatwood
