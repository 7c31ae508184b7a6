// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The jobs of a request with their programs, placed on hosts and adapters.

#include "tasks/jobs/job.hpp"

namespace fatwood {

struct JobPlan {
  std::vector<PlacedJob> placed;
  std::vector<PlannedJob> jobs;  // the same jobs, for reports
  std::vector<double> capacity;  // bytes per second by channel
  std::vector<std::string> notes;
};

// InputError for requests that do not fit the fabric.
JobPlan plan_jobs(const Model& model, const JobRequest& request);

}  // namespace fatwood
