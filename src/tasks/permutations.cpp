// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/permutations.hpp"

#include <type_traits>
#include <vector>

#include "tasks/measured.hpp"

namespace fatwood {

namespace {

// study(measured, options) for each seed of the routing.
template <class Study>
auto of_each_seed(const Model& model, const Participants& who, const StudiedRouting& routing,
                  const PermutationOptions& options, const Study& study) {
  constexpr unsigned kSeeds = 5;
  std::vector<std::invoke_result_t<const Study&, const Measured&, const PermutationOptions&>> found;
  for (unsigned i = 0; i < (routing.seeded ? kSeeds : 1); ++i) {
    PermutationOptions own = options;
    own.seed = options.seed + i;
    const auto paths = routing.paths(own.seed);
    found.push_back(study(Measured(model, *paths, who), own));
  }
  return found;
}

}  // namespace

PermutationRow study_permutations(const Model& model, const Participants& who,
                                  const StudiedRouting& routing,
                                  const PermutationOptions& options) {
  const auto studies = of_each_seed(
      model, who, routing, options, [](const Measured& measured, const PermutationOptions& own) {
        return permutation_study(*permutation_load(measured.model(), measured.paths()),
                                 measured.paths().num_adapters(), own);
      });
  return {routing.name, average(studies), static_cast<unsigned>(studies.size())};
}

RateRow study_rates(const Model& model, const Participants& who, const StudiedRouting& routing,
                    RatePattern pattern, const PermutationOptions& options) {
  const auto studies = of_each_seed(
      model, who, routing, options, [&](const Measured& measured, const PermutationOptions& own) {
        return rate_study(*permutation_rates(measured.model(), measured.paths()),
                          measured.paths().num_adapters(), pattern, own);
      });
  return {routing.name, average(studies), static_cast<unsigned>(studies.size())};
}

ShiftRow study_shifts(const Model& model, const Participants& who, const StudiedRouting& routing,
                      const PermutationOptions& options) {
  const auto paths = routing.paths(options.seed);
  const Measured measured(model, *paths, who);
  return {routing.name,
          shift_study(*permutation_load(measured.model(), measured.paths()),
                      measured.paths().num_adapters(), options.threads, options.progress)};
}

}  // namespace fatwood
