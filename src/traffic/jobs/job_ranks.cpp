// SPDX-License-Identifier: BSD-3-Clause
#include "traffic/jobs/job_ranks.hpp"

#include <numeric>

namespace fatwood {
namespace {

// Groups of `length` ranks, `stride` apart, in runs of `stride` groups.
std::vector<RankList> strided(std::uint32_t all, std::uint32_t length, std::uint32_t stride) {
  std::vector<RankList> groups;
  for (std::uint32_t base = 0; base < all; base += length * stride) {
    for (std::uint32_t first = base; first < base + stride; ++first) {
      RankList& group = groups.emplace_back();
      for (std::uint32_t i = 0; i < length; ++i) group.push_back(first + i * stride);
    }
  }
  return groups;
}

std::uint32_t all_of(const ParallelSizes& sizes) {
  return static_cast<std::uint32_t>(sizes.product());
}

}  // namespace

RankList all_ranks(const JobShape& shape) {
  RankList ranks(shape.size());
  std::iota(ranks.begin(), ranks.end(), 0U);
  return ranks;
}

std::vector<RankList> tensor_groups(const ParallelSizes& sizes) {
  return strided(all_of(sizes), sizes.tensor, 1);
}
std::vector<RankList> data_groups(const ParallelSizes& sizes) {
  return strided(all_of(sizes), sizes.data, sizes.tensor);
}
std::vector<RankList> pipeline_groups(const ParallelSizes& sizes) {
  return strided(all_of(sizes), sizes.pipeline, sizes.tensor * sizes.data);
}
std::vector<RankList> expert_groups(const ParallelSizes& sizes) {
  return strided(all_of(sizes), sizes.expert, sizes.tensor);
}

}  // namespace fatwood
