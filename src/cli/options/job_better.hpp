// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A better order or placement of a job, as people ask for it.

#include <string>
#include <vector>

#include "analysis/jobs/job_improve.hpp"
#include "core/error.hpp"
#include "report/jobs/job_report.hpp"
#include "topology/hosts/rails.hpp"

namespace fatwood::cli {

std::string host_list(const Model& model, const std::vector<Host>& hosts);

// InputError when another job has one of the hosts.
void check_free(const Model& model, const std::vector<ReportedJob>& jobs,
                const std::vector<Host>& hosts, const Location& where);

// what: order, placement or both. free: a host list, what a placement may take as well.
Improvement improve_job(const Model& model, JobScorer& scorer, const std::vector<ReportedJob>& jobs,
                        const std::string& what, const std::string& free,
                        const ImproveOptions& options);

}  // namespace fatwood::cli
