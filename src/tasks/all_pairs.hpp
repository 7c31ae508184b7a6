// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What pairs of hosts and jobs get in all-to-all, for `load` of every front end: of those that the
// user asked for, and of compute hosts alone if the user asked for all and others are among them.

#include <optional>

#include "tasks/measured.hpp"

namespace fatwood {

struct AllPairs {
  std::optional<PairFigures> asked = {};
  std::optional<PairFigures> compute = {};
  std::optional<JobEfficiency> jobs = {}, compute_jobs = {};  // of the same
};

// `measured`: the participants asked for, of `model` and `routes`.
inline AllPairs all_pairs(const Model& model, const PathSource& routes, const Measured& measured,
                          int threads, const GivenOrder& order = {}) {
  AllPairs pairs;
  const Participants& who = measured.who();
  pairs.asked = measure_pairs(measured, threads);
  pairs.jobs = measure_jobs(measured, order, threads);
  if (who.among == "all" && who.mixed() && who.with(Role::kCompute) > 1) {
    const Measured compute(model, routes, participants_with(model, Role::kCompute));
    pairs.compute = measure_pairs(compute, threads);
    pairs.compute_jobs = measure_jobs(compute, order, threads);
  }
  return pairs;
}

}  // namespace fatwood
