// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a job is and where it runs, as people say it.

#include <string>
#include <vector>

#include "analysis/jobs/job.hpp"
#include "report/jobs/job_report.hpp"
#include "topology/hosts/rails.hpp"

namespace fatwood::cli {

struct JobChoice {
  std::string hosts;
  std::string collective;      // "": allreduce
  std::string message_size;    // "": 1G
  std::string trace;           // a file: instead of a collective
  std::uint32_t ranks = 0;     // on a host; 0: one for each adapter
  std::uint32_t nics = 0;      // of a host; 0: all
  std::uint32_t channels = 0;  // of NCCL
  std::uint32_t cross_nic = 0;
  std::uint32_t window = 0;
  std::uint32_t root = 0;
  bool no_pxn = false;
  std::uint32_t tensor = 1, pipeline = 1, expert = 1, data = 0;
  std::string groups = "all";
  std::string rate;  // of every cable; "": as the fabric says
  std::string latency = "nccl";
  std::string beside;  // a file of other jobs
  std::uint32_t weight = 1;
  // Of --hosts @FILE, when that gives ranks; ranks are then those of the file.
  std::string rank_file;
  std::size_t rank_line = 0;  // its last
};

struct ChosenJobs {
  std::vector<PlacedJob> placed;
  std::vector<ReportedJob> reported;
  std::vector<double> capacity;
  std::vector<std::string> notes;
};

// InputError for whatever does not fit.
ChosenJobs choose_jobs(const Model& model, const JobChoice& choice);

}  // namespace fatwood::cli
