// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The jobs of a request with their programs, placed on hosts and adapters.

#include "tasks/jobs/job.hpp"

namespace fatwood {

struct JobSetup {
  std::vector<PlacedJob> placed;
  std::vector<RequestedJob> jobs;  // the same jobs, for reports
  std::vector<double> capacity;    // bytes per second by channel
  std::vector<std::string> notes;
};

// InputError for requests that do not fit the fabric.
JobSetup set_up_jobs(const Model& model, const JobRequest& request);

}  // namespace fatwood
