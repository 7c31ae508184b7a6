// SPDX-License-Identifier: BSD-3-Clause
// shift-1(K) ([Mahapatra12], section 4.2.2): the d-mod-k path i and the K-1 paths after it: i, i+1,
// .., i+K-1 mod X, X = U(k). Consecutive paths separate at the top first.

#include <string>

#include "routing/algebraic/algebraic.hpp"

namespace fatwood {

AlgebraicPtr make_shift_one(const TreeShape& shape, const AlgebraicOptions& options) {
  return std::make_unique<AlgebraicRouting>(
      "shift1:" + std::to_string(options.paths), shape, DependsOn::kDestination, options.paths,
      [](const AlgebraicRouting& own, unsigned k, std::uint32_t, std::uint32_t d) {
        const std::uint64_t i = mod_k_path(own.space(), k, d);
        std::vector<PathIndex> chosen(own.num_paths(k));
        for (std::uint32_t j = 0; j < chosen.size(); ++j) {
          chosen[j] = static_cast<PathIndex>((i + j) % own.space().U(k));
        }
        return chosen;
      });
}

}  // namespace fatwood
