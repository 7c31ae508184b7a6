// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The options that define a job and where it runs.

#include "cli/verb.hpp"
#include "io/lists/job_words.hpp"

namespace fatwood::cli {

struct JobArguments {
  JobWords words;
  JobRequest request;
};

void add_job_options(Verb& verb, JobArguments& job);

}  // namespace fatwood::cli
