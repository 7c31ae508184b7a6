// SPDX-License-Identifier: BSD-3-Clause
// WSR, widest shortest routing ([Yuan07], section 5): pairs are routed in the order (0,1), (0,2),
// .., (1,0), ... Each takes the path whose channels have the smallest sum of weights (the first on
// a tie). Then the weight of each of these channels grows by one.
//
// Method: weights are stored for up and down cables by level. The offsets of every path are
// computed once per level (path_space.hpp), so a path costs 2k additions. One path number per pair
// is stored (4 N^2 bytes). Cost: the sum over all pairs of 2k U(k) additions, 0.5 s for FT(16,3).

#include <fmt/format.h>

#include "core/error.hpp"
#include "routing/algebraic/algebraic.hpp"

namespace fatwood {

namespace {

constexpr std::uint32_t kMostNodes = 8192;

class Wsr : public AlgebraicRouting {
 public:
  explicit Wsr(const TreeShape& shape) : AlgebraicRouting("wsr", shape, DependsOn::kPair, 1) {
    const std::uint32_t N = space().nodes();
    if (N > kMostNodes) {
      throw InputError(fmt::format("wsr stores a path for each pair: at most {} terminals, not {}",
                                   kMostNodes, N));
    }
    const unsigned h = space().height();
    offset_.resize(h + 1);
    for (unsigned k = 1; k <= h; ++k) {
      for (PathIndex t = 0; t < space().U(k); ++t) {
        for (unsigned l = 0; l < k; ++l) offset_[k].push_back(space().offset(k, t, l));
      }
    }
    std::vector<std::vector<std::uint32_t>> up(h);
    std::vector<std::vector<std::uint32_t>> down(h);
    for (unsigned l = 0; l < h; ++l) {
      up[l].resize(space().cables(l));
      down[l].resize(space().cables(l));
    }
    path_.resize(std::size_t{N} * N);
    for (std::uint32_t s = 0; s < N; ++s) {
      for (std::uint32_t d = 0; d < N; ++d) {
        if (s == d) continue;
        path_[std::size_t{s} * N + d] = lay(s, d, up, down);
      }
    }
    offset_.clear();
  }
  std::vector<PathIndex> paths(std::uint32_t s, std::uint32_t d) const override {
    return {path_[std::size_t{s} * space().nodes() + d]};
  }

 private:
  using Weights = std::vector<std::vector<std::uint32_t>>;

  PathIndex lay(std::uint32_t s, std::uint32_t d, Weights& up, Weights& down) const {
    const unsigned k = space().common_level(s, d);
    const std::uint32_t* offset = offset_[k].data();
    PathIndex best = 0;
    std::uint64_t least = ~std::uint64_t{0};
    for (PathIndex t = 0; t < space().U(k); ++t) {
      std::uint64_t sum = 0;
      for (unsigned l = 0; l < k; ++l) {
        const std::uint32_t at = offset[std::size_t{t} * k + l];
        sum += up[l][block(s, l) + at] + down[l][block(d, l) + at];
      }
      if (sum < least) {
        least = sum;
        best = t;
      }
    }
    for (unsigned l = 0; l < k; ++l) {
      const std::uint32_t at = offset[std::size_t{best} * k + l];
      ++up[l][block(s, l) + at];
      ++down[l][block(d, l) + at];
    }
    return best;
  }
  std::uint32_t block(std::uint32_t node, unsigned l) const {
    return node / space().M(l) * space().C(l);
  }

  std::vector<std::vector<std::uint32_t>> offset_;  // by level k: [path][l]
  std::vector<PathIndex> path_;                     // [s][d]
};

}  // namespace

AlgebraicPtr make_wsr(const TreeShape& shape, const AlgebraicOptions&) {
  return std::make_unique<Wsr>(shape);
}

}  // namespace fatwood
