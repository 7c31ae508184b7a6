// SPDX-License-Identifier: BSD-3-Clause
// Largest load of a permutation under any algebraic routing: counts the cables of each path.
//
// The offsets of every path within a sub-tree are computed once per level (path_space.hpp), so a
// path of level k costs 2k additions to 32-bit counters. Cost: the sum of 2k paths(s, d) over the
// pairs; memory: 8 bytes per cable and 4 k U(k) for the offsets.

#include <algorithm>
#include <vector>

#include "analysis/permutations/permutation_load.hpp"

namespace fatwood {

namespace {

struct Offsets {
  std::vector<std::vector<std::uint32_t>> of;  // by level k: [path][l]
};

std::shared_ptr<const Offsets> offsets_of(const PathSpace& space) {
  auto offsets = std::make_shared<Offsets>();
  offsets->of.resize(space.height() + 1);
  for (unsigned k = 1; k <= space.height(); ++k) {
    for (PathIndex t = 0; t < space.U(k); ++t) {
      for (unsigned l = 0; l < k; ++l) offsets->of[k].push_back(space.offset(k, t, l));
    }
  }
  return offsets;
}

class PairKernel : public PermutationLoad {
 public:
  PairKernel(const AlgebraicRouting& routing, std::shared_ptr<const Offsets> offsets)
      : routing_(routing),
        offsets_(std::move(offsets)),
        up_(space().height()),
        down_(space().height()) {
    for (unsigned l = 0; l < space().height(); ++l) {
      up_[l].resize(space().cables(l));
      down_[l].resize(space().cables(l));
    }
  }

  std::uint64_t units_in_one() const override { return routing_.units_in_one(); }
  std::uint64_t max_load(std::span<const std::uint32_t> destination_of) override {
    for (auto* levels : {&up_, &down_}) {
      for (auto& level : *levels) std::fill(level.begin(), level.end(), 0U);
    }
    for (std::uint32_t s = 0; s < destination_of.size(); ++s) {
      if (destination_of[s] != s) add(s, destination_of[s]);
    }
    std::uint32_t most = 0;
    for (const auto* levels : {&up_, &down_}) {
      for (const auto& level : *levels) {
        most = std::max(most, *std::max_element(level.begin(), level.end()));
      }
    }
    return most;
  }
  std::unique_ptr<PermutationLoad> clone() const override {
    return std::make_unique<PairKernel>(routing_, offsets_);
  }

 private:
  const PathSpace& space() const { return routing_.space(); }
  void add(std::uint32_t s, std::uint32_t d) {
    const unsigned k = space().common_level(s, d);
    const auto weight = static_cast<std::uint32_t>(units_in_one() / routing_.num_paths(k));
    const std::vector<PathIndex> paths = routing_.paths(s, d);
    for (unsigned l = 0; l < k; ++l) {
      std::uint32_t* up = up_[l].data() + std::size_t{s / space().M(l)} * space().C(l);
      std::uint32_t* down = down_[l].data() + std::size_t{d / space().M(l)} * space().C(l);
      const std::uint32_t* offset = offsets_->of[k].data() + l;
      for (const PathIndex t : paths) {
        up[offset[std::size_t{t} * k]] += weight;
        down[offset[std::size_t{t} * k]] += weight;
      }
    }
  }

  const AlgebraicRouting& routing_;
  std::shared_ptr<const Offsets> offsets_;
  std::vector<std::vector<std::uint32_t>> up_, down_;  // by level and cable
};

}  // namespace

std::unique_ptr<PermutationLoad> pair_kernel(const AlgebraicRouting& routing) {
  return std::make_unique<PairKernel>(routing, offsets_of(routing.space()));
}

}  // namespace fatwood
