// SPDX-License-Identifier: BSD-3-Clause
// shift-1(K) ([Mahapatra12], section 4.2.2): the d-mod-k path i and the K-1 paths after it: i, i+1,
// .., i+K-1 mod X, X = U(k). Consecutive paths separate at the top first.

#include <string>

#include "routing/algebraic/algebraic.hpp"

namespace fatwood {

namespace {

class ShiftOne : public AlgebraicRouting {
 public:
  ShiftOne(const TreeShape& shape, std::uint32_t paths)
      : AlgebraicRouting("shift1:" + std::to_string(paths), shape, DependsOn::kDestination, paths) {
  }
  std::vector<PathIndex> paths(std::uint32_t s, std::uint32_t d) const override {
    const unsigned k = space().common_level(s, d);
    const std::uint32_t X = space().U(k);
    const PathIndex i = mod_k_path(space(), k, d);
    std::vector<PathIndex> chosen(num_paths(k));
    for (std::uint32_t j = 0; j < chosen.size(); ++j) {
      chosen[j] = static_cast<PathIndex>((std::uint64_t{i} + j) % X);
    }
    return chosen;
  }
};

}  // namespace

AlgebraicPtr make_shift_one(const TreeShape& shape, const AlgebraicOptions& options) {
  return std::make_unique<ShiftOne>(shape, options.paths);
}

}  // namespace fatwood
