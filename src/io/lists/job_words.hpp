// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Reads a job from text: host lists, sizes and rates, and the files of other jobs and recorded
// runs.

#include <set>
#include <string>
#include <vector>

#include "io/lists/job_list.hpp"
#include "topology/model.hpp"
#include "traffic/jobs/job_request.hpp"

namespace fatwood {

struct JobWords {
  std::string hosts;         // a host list, @FILE or "all"; "": those of the trace
  std::string message_size;  // "": the default
  std::string trace;         // a file: instead of a collective
  std::string groups = "all";
  std::string rate;  // of every cable; "": from the fabric
  std::string latency = "nccl";
  std::uint32_t cross_nic = 0;  // 1: rings leave by another adapter than they arrive at
  bool no_pxn = false;
  std::string other_jobs;  // a file of other jobs
  std::string improve;     // order, placement or both; "": nothing
  std::string free;        // hosts that a better placement may use
  std::string candidates;  // a file of placements to time
};

// Adds the words to `job`. InputError for invalid words.
JobRequest read_job(const Model& model, const JobWords& words, JobRequest job);

// The jobs of a file. The hosts of a job may also be @FILE, or "all": those that no earlier job and
// none of `taken` has. Hosts that are not in this fabric, and Slurm jobs without any host here, are
// left out with a note.
struct JobsHere {
  std::vector<NamedJob> jobs;
  std::vector<std::string> notes;
};
JobsHere read_jobs(const Model& model, const std::string& path, std::set<Host> taken = {});

}  // namespace fatwood
