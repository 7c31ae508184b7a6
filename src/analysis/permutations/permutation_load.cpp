// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/permutations/permutation_load.hpp"

#include <algorithm>
#include <vector>

#include "topology/channel_speeds.hpp"

namespace fatwood {

namespace {

class AnyKernel : public PermutationLoad {
 public:
  AnyKernel(const Model& model, const PathSource& paths)
      : model_(model),
        paths_(paths),
        speeds_(model.speeds()),
        units_(model.fabric().num_channels()) {}

  std::uint64_t units_in_one() const override {
    return paths_.units_in_one() * static_cast<std::uint64_t>(speeds_.weight_of_one());
  }
  std::uint64_t max_load(std::span<const std::uint32_t> destination_of) override {
    std::fill(units_.begin(), units_.end(), 0U);
    for (std::uint32_t s = 0; s < destination_of.size(); ++s) {
      if (destination_of[s] == s) continue;
      const PathList list = paths_.paths(Adapter{s}, Adapter{destination_of[s]});
      if (list.empty()) throw no_path(model_, Adapter{s}, Adapter{destination_of[s]});
      const std::uint64_t share = paths_.units_in_one() / list.size();
      for (const Channel c : list.all()) {
        units_[index(c)] += share * static_cast<std::uint64_t>(speeds_.weight(c));
      }
    }
    return *std::max_element(units_.begin(), units_.end());
  }
  std::unique_ptr<PermutationLoad> clone() const override {
    return std::make_unique<AnyKernel>(model_, paths_);
  }

 private:
  const Model& model_;
  const PathSource& paths_;
  const ChannelSpeeds& speeds_;
  std::vector<std::uint64_t> units_;  // by channel
};

}  // namespace

std::unique_ptr<PermutationLoad> any_kernel(const Model& model, const PathSource& paths) {
  return std::make_unique<AnyKernel>(model, paths);
}

std::unique_ptr<PermutationLoad> permutation_load(const Model& model, const PathSource& paths) {
  if (!model.speeds().uniform()) return any_kernel(model, paths);
  if (const AlgebraicRouting* routing = paths.algebraic(); routing != nullptr) {
    if (auto kernel = row_kernel(*routing)) return kernel;
    return pair_kernel(*routing);
  }
  if (paths.tables() != nullptr) return table_kernel(model, *paths.tables());
  return any_kernel(model, paths);
}

void draw_permutation(std::uint64_t seed, std::uint64_t sample,
                      std::span<std::uint32_t> destination_of) {
  std::uint64_t state = Random(seed, sample).next64();
  const auto next = [&state] {
    std::uint64_t z = state += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  };
  // Inside out: entry i takes the place of a random earlier one, which moves to the end.
  const auto insert = [&](std::size_t i, std::uint64_t draw) {
    const std::size_t at = draw * (i + 1) >> 32;
    destination_of[i] = destination_of[at];
    destination_of[at] = static_cast<std::uint32_t>(i);
  };
  const std::size_t n = destination_of.size();
  std::size_t i = 0;
  for (; i + 1 < n; i += 2) {
    const std::uint64_t z = next();
    insert(i, z >> 32);
    insert(i + 1, z & 0xffffffffU);
  }
  if (i < n) insert(i, next() >> 32);
}

}  // namespace fatwood
