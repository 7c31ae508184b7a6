// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The options that say what a job is and where it runs.

#include "cli/options/job_choice.hpp"
#include "cli/verb.hpp"

namespace fatwood::cli {

void add_job_choice(Verb& verb, JobChoice& choice);

}  // namespace fatwood::cli
