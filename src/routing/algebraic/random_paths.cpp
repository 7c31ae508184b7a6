// SPDX-License-Identifier: BSD-3-Clause
// random and random(K) ([Mahapatra12], section 4.2.1): K different random paths for each pair,
// fixed by the seed. Pair (s, d) has its own random stream (seed, s*N + d), so nothing is stored.
// Floyd's sampling needs K draws whatever X is. It favours small numbers early, so the list is then
// shuffled: code that uses the paths in order may start with any of them. Cost: O(K^2) per pair for
// the membership tests; K is small unless it includes all paths.

#include <algorithm>
#include <numeric>
#include <string>

#include "core/random.hpp"
#include "routing/algebraic/algebraic.hpp"

namespace fatwood {

AlgebraicPtr make_random(const TreeShape& shape, const AlgebraicOptions& options) {
  return std::make_unique<AlgebraicRouting>(
      "random:" + std::to_string(options.paths), shape, DependsOn::kPair, options.paths,
      [seed = options.seed](const AlgebraicRouting& own, unsigned k, std::uint32_t s,
                            std::uint32_t d) {
        const std::uint32_t X = own.space().U(k);
        const std::uint32_t K = own.num_paths(k);
        std::vector<PathIndex> chosen;
        chosen.reserve(K);
        Random random(seed, std::uint64_t{s} * own.space().nodes() + d);
        if (K == X) {
          chosen.resize(X);
          std::iota(chosen.begin(), chosen.end(), 0U);
        }
        for (std::uint32_t last = X - K; last < X && K < X; ++last) {
          const PathIndex t = random.below(last + 1);
          const bool taken = std::find(chosen.begin(), chosen.end(), t) != chosen.end();
          chosen.push_back(taken ? last : t);
        }
        for (std::uint32_t left = K; left > 1; --left) {
          std::swap(chosen[left - 1], chosen[random.below(left)]);
        }
        return chosen;
      });
}

}  // namespace fatwood
