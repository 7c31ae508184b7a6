// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The request for `permutations`, of every front end: random permutations, all shifts, or rates.

#include <functional>
#include <string>
#include <vector>

#include "app/among.hpp"
#include "tasks/permutations.hpp"

namespace fatwood {

struct PermutationQuestion {
  bool shifts = false, rates = false, bisections = false;
  std::uint64_t samples = 1000;
  double width = 1;  // percent of the mean
  std::string among = "all";
};
template <class Visitor>
void describe(Visitor& visit, PermutationQuestion& question) {
  visit(question.shifts,
        {.name = "shifts", .help = "all N-1 shifts instead of random permutations"});
  visit(question.rates, {.name = "rates",
                         .help = "fair rates of the flows instead of the largest load",
                         .excludes = {"shifts"}});
  visit(question.bisections, {.name = "bisections",
                              .help = "rates of pairs of two random halves instead of permutations",
                              .needs = {"rates"}});
  visit(question.samples, {.name = "samples",
                           .help = "permutations to begin with",
                           .least = 2,
                           .most = 1 << 30,
                           .excludes = {"shifts"}});
  visit(question.width, {.name = "width",
                         .help = "stop at a 99% interval of this width, in percent of the mean",
                         .low = 1e-4,
                         .high = 1e6,
                         .excludes = {"shifts"}});
  describe_among(visit, question.among);
}

// Of each routing a row; of the three kinds, the one asked for.
struct PermutationAnswer {
  Participants who;
  std::vector<PermutationRow> rows = {};
  std::vector<ShiftRow> shifts = {};
  std::vector<RateRow> rates = {};
  RatePattern pattern = RatePattern::kPermutations;
};
// `options_for`: seed, threads, progress and share. InputError for a fabric with fewer than two
// hosts.
PermutationAnswer find_permutations(
    const Model& model, const Participants& who, const std::vector<StudiedRouting>& routings,
    const PermutationQuestion& question,
    const std::function<PermutationOptions(const std::string& routing)>& options_for);

}  // namespace fatwood
