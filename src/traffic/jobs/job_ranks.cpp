// SPDX-License-Identifier: BSD-3-Clause
#include "traffic/jobs/job_ranks.hpp"

#include <numeric>
#include <utility>

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

}  // namespace

RankList all_ranks(const JobShape& shape) {
  RankList ranks(shape.size());
  std::iota(ranks.begin(), ranks.end(), 0U);
  return ranks;
}

Program empty_program(const JobShape& shape, std::string name) {
  Program program;
  program.name = std::move(name);
  program.endpoints = std::size_t{shape.nodes} * shape.nics;
  return program;
}

std::vector<RankList> groups_of_ranks(const ParallelSizes& sizes, RankGroups groups) {
  const auto all = static_cast<std::uint32_t>(sizes.product());
  switch (groups) {
    case RankGroups::kAll:
      return strided(all, all, 1);
    case RankGroups::kData:
      return strided(all, sizes.data, sizes.tensor);
    case RankGroups::kTensor:
      return strided(all, sizes.tensor, 1);
    case RankGroups::kPipeline:
      return strided(all, sizes.pipeline, sizes.tensor * sizes.data);
    case RankGroups::kExpert:
      return strided(all, sizes.expert, sizes.tensor);
  }
  return {};
}

}  // namespace fatwood
