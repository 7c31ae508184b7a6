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

// Weights of the cables of each level, and the offsets of each path on them.
class Wsr {
 public:
  explicit Wsr(const PathSpace& space)
      : space_(space), offset_(space.height() + 1), up_(space.height()), down_(space.height()) {
    for (unsigned k = 1; k <= space.height(); ++k) {
      for (PathIndex t = 0; t < space.U(k); ++t) {
        for (unsigned l = 0; l < k; ++l) offset_[k].push_back(space.offset(k, t, l));
      }
    }
    for (unsigned l = 0; l < space.height(); ++l) {
      up_[l].resize(space.cables(l));
      down_[l].resize(space.cables(l));
    }
  }

  PathIndex lay(std::uint32_t s, std::uint32_t d) {
    const unsigned k = space_.common_level(s, d);
    const std::uint32_t* offset = offset_[k].data();
    PathIndex best = 0;
    std::uint64_t least = ~std::uint64_t{0};
    for (PathIndex t = 0; t < space_.U(k); ++t) {
      std::uint64_t sum = 0;
      for (unsigned l = 0; l < k; ++l) {
        const std::uint32_t at = offset[std::size_t{t} * k + l];
        sum += up_[l][block(s, l) + at] + down_[l][block(d, l) + at];
      }
      if (sum < least) {
        least = sum;
        best = t;
      }
    }
    for (unsigned l = 0; l < k; ++l) {
      const std::uint32_t at = offset[std::size_t{best} * k + l];
      ++up_[l][block(s, l) + at];
      ++down_[l][block(d, l) + at];
    }
    return best;
  }

 private:
  std::uint32_t block(std::uint32_t node, unsigned l) const {
    return node / space_.M(l) * space_.C(l);
  }

  const PathSpace& space_;
  std::vector<std::vector<std::uint32_t>> offset_;     // by level k: [path][l]
  std::vector<std::vector<std::uint32_t>> up_, down_;  // by level
};

}  // namespace

AlgebraicPtr make_wsr(const TreeShape& shape, const AlgebraicOptions&) {
  const PathSpace space(shape);
  const std::uint32_t N = space.nodes();
  if (N > kMostNodes) {
    throw InputError(fmt::format("wsr stores a path for each pair: at most {} terminals, not {}",
                                 kMostNodes, N));
  }
  Wsr routes(space);
  std::vector<PathIndex> path(std::size_t{N} * N);  // [s][d]
  for (std::uint32_t s = 0; s < N; ++s) {
    for (std::uint32_t d = 0; d < N; ++d) {
      if (s != d) path[std::size_t{s} * N + d] = routes.lay(s, d);
    }
  }
  return std::make_unique<AlgebraicRouting>(
      "wsr", shape, DependsOn::kPair, 1,
      [N, path = std::move(path)](const AlgebraicRouting&, unsigned, std::uint32_t s,
                                  std::uint32_t d) {
        return std::vector{path[std::size_t{s} * N + d]};
      });
}

}  // namespace fatwood
