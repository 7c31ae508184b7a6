// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood job`.
//
// {"seconds", "algbw", "busbw" (GB/s; null for traces), "alone_seconds", "own_cables_seconds",
//  "efficiency", "hosts", "ranks", "adapters", "gigabytes_per_second_an_adapter", "message_bytes",
//  "slowest": {"stage", "start_seconds", "seconds", "gigabytes_per_second",
//    "own_gigabytes_per_second", "own_cables", "channel", "capacity_gigabytes_per_second", "flows":
//    [{"job", "from", "to", "gigabytes_per_second"}]} or null,
//  "jobs": [{"name", "what", "hosts", "seconds", "alone_seconds", "slowdown", "algbw", "busbw",
//    "disturbed_by": [{"job", "channel"}]}],
//  "improved": {"seconds", "given_seconds", "bound_seconds", "best_possible", "how",
//    "tried", "scores": [{"how", "seconds"}], "nccl", "order": host list, "hosts": [...]} or
//    absent,
//  "candidates": [{"name", "seconds", "busbw", "hosts": host list}], best first, or absent,
//  "flits": {"seconds", "difference" (of fair rates), "deadlock", "flit_hops"} or absent,
//  "notes": [...], "unrouted": [[from, to]]}

#include <string>
#include <vector>

#include "tasks/jobs/job.hpp"

namespace fatwood {

std::string job_text(const Model& model, const std::string& routing, const JobResult& result);
std::string job_json(const Model& model, const std::string& routing, const JobResult& result);

// One job with several engines, fastest first: {"what", "hosts", "ranks", "adapters",
// "message_bytes", "notes", "engines": [{"name", "seconds", "algbw", "busbw", "efficiency",
// "adaptive", "deadlock_free" (null: no tables), "unrouted": pairs} or {"name", "refused"}]}.
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
