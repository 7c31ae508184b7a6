// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What `fatwood job` prints.
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

#include <optional>
#include <string>
#include <vector>

#include "analysis/jobs/job.hpp"
#include "analysis/jobs/job_improve.hpp"
#include "topology/hosts/rails.hpp"
#include "traffic/jobs/place_job.hpp"

namespace fatwood {

struct ReportedJob {
  std::string name;
  std::string what;  // "allreduce:ring of 1 GiB, 16 channels"
  PlacedHosts hosts;
  std::size_t ranks = 0;
  double message_bytes = 0;
  double bus_factor = 0;  // 0: algbw and busbw mean nothing
};

struct JobReport {
  std::string routing;
  std::vector<ReportedJob> jobs;  // the first is the one asked for
  JobStudy study;
  std::vector<std::string> notes;
  std::optional<Improvement> improved;
  std::string order;      // the improved one, as a host list
  std::string nccl_line;  // the same for mpirun: NCCL goes by the order of ranks
  struct Scored {
    std::string name;
    std::string hosts;  // as a host list
    double seconds = 0;
  };
  std::vector<Scored> candidates;  // best first
  struct FlitTimes {
    std::vector<double> seconds;  // of each job; infinite: never
    bool deadlock = false;
    std::uint64_t flit_hops = 0;
  };
  std::optional<FlitTimes> flits;
};

std::string job_text(const Model& model, const JobReport& report);
std::string job_json(const Model& model, const JobReport& report);

// Files that start ranks in an order: a line or several for each host, `ranks` on each.
enum class OrderFile : std::uint8_t {
  kHostfile,       // Open MPI: "hostA slots=8"
  kRankfile,       // Open MPI: "rank 0=hostA slot=0"
  kMachinefile,    // MPICH, Intel MPI: "hostA:8"
  kSlurmHostfile,  // one host a task, for SLURM_HOSTFILE
};
std::string order_file(const Model& model, const std::vector<Host>& hosts, std::uint32_t ranks,
                       OrderFile kind);

// "mpirun -np 16 --host hostA:8,hostB:8".
std::string nccl_line(const Model& model, const std::vector<Host>& hosts, std::uint32_t ranks);

// "1.5 GiB", "300 bytes".
std::string size_text(double bytes);
// "1.23 ms"
std::string time_text(double seconds);

}  // namespace fatwood
