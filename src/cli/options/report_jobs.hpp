// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Jobs for the page: a file of them, as `fatwood job --beside` takes it.

#include <string>
#include <vector>

#include "report/page/page.hpp"

namespace fatwood::cli {

// The flows of each job: what an adapter sends to another, relative to what the busiest adapter of
// the job sends. InputError with file and line.
std::vector<PageJob> page_jobs(const Model& model, const std::string& path);

}  // namespace fatwood::cli
