// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Hosts that hold a job back, and its time without them.
//
// Two kinds are tried:
// - slower hosts: those whose adapters together carry less than usual in the job (the most frequent
//   amount, the larger of equals). First those that carry least, then with them the next, and so
//   on.
// - hosts behind the switch whose cable to another switch limits the job, if they are at most a
//   quarter of it
// The same collective is timed with the other hosts, together with the same other jobs. Hosts
// without which it is less than 1% faster are left out. Cost: one run for each set that is tried.

#include <vector>

#include "tasks/jobs/job.hpp"
#include "tasks/jobs/job_setup.hpp"

namespace fatwood {

// REQUIRES that every pair of the study has a route.
std::vector<LimitingHosts> limiting_hosts(const Model& model, FlowLinks& links,
                                          const JobRequest& request, const JobSetup& setup,
                                          const JobOutcome& outcome);

}  // namespace fatwood
