// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What pairs of hosts and jobs get with some routes, in a few figures: those that the stages of a
// loss (lose.hpp) and of a repair (repair.hpp) are compared by.

#include <cstdint>
#include <optional>

#include "tasks/measured.hpp"

namespace fatwood {

struct LossFigures {
  std::uint64_t pairs_lost = 0;                         // as lost_pairs.hpp defines it
  double worst_gbps = 0, p1_gbps = 0, median_gbps = 0;  // 0: speeds are unknown
  std::optional<JobSummary> jobs = {};                  // all-to-all at once, if asked for
};
enum class MeasureJobs : std::uint8_t { kNo, kYes };

// All but lost pairs. `order`: of hosts in jobs.
LossFigures rate_figures(const Model& model, const Routing& routing, const Participants& who,
                         int threads, MeasureJobs jobs, const GivenOrder& order = {});
// The same; lost are pairs of this model without a route.
LossFigures figures_before(const Model& model, const Routing& routing, const Participants& who,
                           int threads = 0, MeasureJobs jobs = MeasureJobs::kNo,
                           const GivenOrder& order = {});

}  // namespace fatwood
