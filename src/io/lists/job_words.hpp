// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A job as people say it: host lists, sizes and rates as text, and the files of other jobs and
// recorded runs, read into values.

#include <set>
#include <string>
#include <vector>

#include "io/lists/job_list.hpp"
#include "topology/model.hpp"
#include "traffic/jobs/job_request.hpp"

namespace fatwood {

struct JobWords {
  std::string hosts;         // a host list, @FILE or all; "": those of the trace
  std::string message_size;  // "": the default
  std::string trace;         // a file: instead of a collective
  std::string groups = "all";
  std::string rate;  // of every cable; "": as the fabric says
  std::string latency = "nccl";
  std::uint32_t cross_nic = 0;  // 1: rings leave by another adapter than they come in by
  bool no_pxn = false;
  std::string other_jobs;  // a file of other jobs
  std::string improve;     // order, placement or both; "": nothing
  std::string free;        // hosts that a better placement may take
  std::string candidates;  // a file of placements to time
};

// `job` with what the words say. InputError for whatever cannot be read.
JobRequest read_job(const Model& model, const JobWords& words, JobRequest job);

// The jobs of a file. The hosts of a job may also be @FILE, or all: those that no job before it and
// none of `taken` has. Left out with a note: hosts that are not in this fabric, and jobs of Slurm
// without any that is.
struct JobsHere {
  std::vector<NamedJob> jobs;
  std::vector<std::string> notes;
};
JobsHere read_jobs(const Model& model, const std::string& path, std::set<Host> taken = {});

}  // namespace fatwood
