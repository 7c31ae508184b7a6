// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood job`, whose man page explains the keys.

#include <string>
#include <vector>

#include "tasks/jobs/job.hpp"

namespace fatwood {

std::string job_text(const Model& model, const std::string& routing, const JobResult& result);
std::string job_json(const Model& model, const std::string& routing, const JobResult& result);

// One job with several engines, fastest first.
std::string job_engines_text(const std::vector<EngineJob>& rows);
std::string job_engines_json(const std::vector<EngineJob>& rows);

// Files that start ranks in an order: one or more lines per host, with `ranks` ranks each.
enum class OrderFile : std::uint8_t {
  kHostfile,       // Open MPI: "hostA slots=8"
  kRankfile,       // Open MPI: "rank 0=hostA slot=0"
  kMachinefile,    // MPICH, Intel MPI: "hostA:8"
  kSlurmHostfile,  // one host per task, for SLURM_HOSTFILE
};
std::string order_file(const Model& model, const std::vector<Host>& hosts, std::uint32_t ranks,
                       OrderFile kind);

// "1.23 ms"
std::string time_text(double seconds);

}  // namespace fatwood
