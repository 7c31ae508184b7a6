// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The time of a job on a fabric, and how to improve it.
//
// Steps: place ranks on hosts and adapters; make the program of the collective or recorded run;
// time it with fair rates next to the other jobs (analysis/jobs/job.hpp); as asked for, the same
// flit by flit, other placements, and a search for a better order or better hosts.

#include <optional>
#include <string>
#include <vector>

#include "analysis/jobs/job.hpp"
#include "analysis/jobs/job_improve.hpp"
#include "core/progress.hpp"
#include "core/share.hpp"
#include "routing/resolve.hpp"
#include "traffic/jobs/job_request.hpp"

namespace fatwood {

struct JobOptions {
  JobRequest job;
  PortChoice ports = PortChoice::kEven;          // of adaptive tables and of several paths
  std::uint32_t queue_pairs = 1;                 // of a connection, with kHashed
  bool flits = false;                            // simulate it as well
  std::uint64_t tries = ImproveOptions{}.tries;  // of job.improve
  bool needs_order = false;                      // the caller writes the order of hosts
  std::uint64_t seed = 1;
  Share share = {};
  Progress progress = {};  // of the simulation
};

struct PlannedJob {
  std::string name;
  std::string what;  // "allreduce:ring of 1 GiB, 16 channels"
  PlacedHosts hosts;
  std::size_t ranks = 0;
  double message_bytes = 0;
  double bus_factor = 0;  // 0: algbw and busbw mean nothing
};

struct JobResult {
  std::vector<PlannedJob> jobs;  // the first is the one asked for
  JobStudy study;
  std::vector<std::string> notes;
  std::optional<Improvement> improved;
  struct Scored {
    std::string name;
    std::vector<Host> hosts;
    double seconds = 0;
  };
  std::vector<Scored> candidates;  // best first
  struct FlitTimes {
    std::vector<double> seconds;  // of each job; infinite: never
    bool deadlock = false;
    std::uint64_t flit_hops = 0;
  };
  std::optional<FlitTimes> flits;

  // Of the first job, in rank order: the better ones, if they were looked for.
  const std::vector<Host>& hosts() const {
    return improved ? improved->hosts : jobs[0].hosts.hosts;
  }
  std::uint32_t ranks_per_host() const;  // 0: hosts have different numbers
};

// When a pair of hosts has no route (study.unrouted), nothing else is done. InputError for whatever
// does not fit.
JobResult run_job(const Model& model, const ResolvedRouting& routing, const JobOptions& options);

// One job with several engines or algebraic routings.
struct EngineJob {
  std::string name;
  std::string refused = {};  // why, when it can't route this fabric
  bool adaptive = false;
  std::optional<bool> deadlock_free = {};  // switches send, too; nothing: no tables
  std::optional<JobResult> result = {};    // unless refused

  double seconds() const;  // infinite: refused, or a pair has no route
};
// Fastest first. InputError for a name that is none.
std::vector<EngineJob> compare_job(const Model& model, const std::vector<std::string>& names,
                                   const RouteOptions& route, const JobOptions& options);

}  // namespace fatwood
