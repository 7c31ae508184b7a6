// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What --trace names: GOAL, Chakra, a log of NCCL or a list of messages, as a job on hosts.

#include <functional>
#include <string>
#include <vector>

#include "analysis/jobs/job.hpp"
#include "cli/options/job_choice.hpp"
#include "report/jobs/job_report.hpp"
#include "traffic/collectives/nccl.hpp"

namespace fatwood::cli {

struct ChosenJob {
  PlacedJob placed;
  ReportedJob reported;
  std::vector<std::string> notes;
};

// `hosts`: those of --hosts, called only where the file does not name its own. InputError for
// whatever does not fit.
ChosenJob choose_trace(const Model& model, const JobChoice& choice, const NcclOptions& options,
                       const std::function<std::vector<Host>()>& hosts);

}  // namespace fatwood::cli
