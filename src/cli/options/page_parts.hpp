// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Parts of the page in addition to loads and proof: adaptive tables, and a file of jobs as
// `fatwood job --beside` takes it.

#include <string>
#include <vector>

#include "cli/verb.hpp"
#include "report/page/page.hpp"

namespace fatwood::cli {

// For those engines and tables that have groups of ports.
std::vector<PageAdaptive> page_adaptive(const Model& model,
                                        const std::vector<EvaluatedEngine>& engines,
                                        const Session& session);

// The flows of each job: what an adapter sends to another, relative to what the busiest adapter of
// the job sends. InputError with file and line.
std::vector<PageJob> page_jobs(const Model& model, const std::string& path);

}  // namespace fatwood::cli
