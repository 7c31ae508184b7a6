// SPDX-License-Identifier: BSD-3-Clause
#include "app/permutations.hpp"

#include "core/error.hpp"

namespace fatwood {

PermutationAnswer find_permutations(
    const Model& model, const Participants& who, const std::vector<StudiedRouting>& routings,
    const PermutationQuestion& question,
    const std::function<PermutationOptions(const std::string& routing)>& options_for) {
  if (model.adapters().size() < 2) {
    throw InputError("the fabric has fewer than two hosts that count");
  }
  PermutationAnswer answer{.who = who};
  if (question.bisections) answer.pattern = RatePattern::kBisections;
  for (const StudiedRouting& routing : routings) {
    PermutationOptions options = options_for(routing.name);
    options.first_samples = question.samples;
    options.width = question.width / 100;
    if (question.shifts) {
      answer.shifts.push_back(study_shifts(model, who, routing, options));
    } else if (question.rates) {
      answer.rates.push_back(study_rates(model, who, routing, answer.pattern, options));
    } else {
      answer.rows.push_back(study_permutations(model, who, routing, options));
    }
  }
  return answer;
}

}  // namespace fatwood
