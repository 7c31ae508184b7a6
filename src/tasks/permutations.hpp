// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Random permutations, and all shifts, over one routing: loads or fair rates
// (analysis/permutations). A routing that draws its paths at random is averaged over 5 seeds, as in
// [Mahapatra12].

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "analysis/permutations/permutation_rates.hpp"
#include "topology/hosts/participants.hpp"

namespace fatwood {

struct StudiedRouting {
  std::string name;
  bool seeded = false;  // whether its paths depend on the seed
  std::function<std::shared_ptr<const PathSource>(std::uint64_t seed)> paths;
};

struct PermutationRow {
  std::string routing;
  PermutationStudy study;
  unsigned seeds = 1;  // of the routing, averaged
};
struct ShiftRow {
  std::string routing;
  ShiftStudy study;
};
struct RateRow {
  std::string routing;
  RateStudy study;
  unsigned seeds = 1;
};

PermutationRow study_permutations(const Model& model, const Participants& who,
                                  const StudiedRouting& routing, const PermutationOptions& options);
RateRow study_rates(const Model& model, const Participants& who, const StudiedRouting& routing,
                    RatePattern pattern, const PermutationOptions& options);
// Uses the seed, the threads and the progress of the options.
ShiftRow study_shifts(const Model& model, const Participants& who, const StudiedRouting& routing,
                      const PermutationOptions& options);

}  // namespace fatwood
