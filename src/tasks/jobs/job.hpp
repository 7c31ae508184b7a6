// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The time of a job on a fabric, and how to improve it.
//
// Steps:
// 1. Place ranks on hosts and adapters.
// 2. Make the program of the collective or of the recorded run.
// 3. Time it with fair rates together with the other jobs (analysis/jobs/job.hpp).
// 4. On request: simulate flit by flit, time other placements, search for a better order or hosts.

#include <optional>
#include <string>
#include <vector>

#include "analysis/jobs/job.hpp"
#include "analysis/jobs/job_improve.hpp"
#include "core/progress.hpp"
#include "core/work_share.hpp"
#include "routing/resolve.hpp"
#include "traffic/jobs/job_request.hpp"

namespace fatwood {

struct JobOptions {
  JobRequest job;
  PortChoice ports = PortChoice::kEven;          // for adaptive tables and several paths
  std::uint32_t queue_pairs = 1;                 // per connection, with kHashed
  bool flits = false;                            // simulate flit by flit, too
  std::uint64_t tries = ImproveOptions{}.tries;  // of job.improve
  bool needs_order = false;                      // the caller writes the order of hosts
  bool limits = false;                           // look for hosts that hold the job back
  std::uint64_t seed = 1;
  WorkShare share = {};
  Progress progress = {};  // of the simulation
};

struct RequestedJob {
  std::string name;
  std::string what;  // "allreduce:ring of 1 GiB, 16 channels"
  PlacedHosts hosts;
  std::size_t ranks = 0;
  double message_bytes = 0;
  double bus_factor = 0;  // 0: algbw and busbw are not defined
};

// Hosts that hold a job back (limiting_hosts.hpp).
struct LimitingHosts {
  double bytes_per_second = 0;  // what their adapters carry, at most; 0: they are behind a switch
  double usual_bytes_per_second = 0;
  Switch behind = kNone<Switch>;
  std::vector<Host> hosts = {};
  RequestedJob rest = {};  // the job without them
  double seconds = 0;      // of that job
};

struct JobResult {
  std::vector<RequestedJob> jobs;  // the requested one first
  JobStudy study;
  std::vector<std::string> notes;
  std::vector<LimitingHosts> limiting;
  std::optional<Improvement> improved;
  struct Scored {
    std::string name;
    std::vector<Host> hosts;
    double seconds = 0;
  };
  std::vector<Scored> candidates;  // best first
  struct FlitTimes {
    std::vector<double> seconds;  // by job; infinite: it never ended
    bool deadlock = false;
    std::uint64_t flit_hops = 0;
  };
  std::optional<FlitTimes> flits;

  // Hosts of the first job in rank order: the improved ones if there was a search.
  const std::vector<Host>& hosts() const {
    return improved ? improved->hosts : jobs[0].hosts.hosts;
  }
  std::uint32_t ranks_per_host() const;  // 0: not the same for all hosts
};

// If a pair of hosts has no route (study.unrouted), nothing else is computed. InputError for
// requests that do not fit the fabric.
JobResult run_job(const Model& model, const ResolvedRouting& routing, const JobOptions& options);

// One job with several engines or algebraic routings.
struct EngineJob {
  std::string name;
  std::string refused = {};  // the reason, if it cannot route this fabric
  bool adaptive = false;
  std::optional<bool> deadlock_free = {};  // with switches as senders, too; no value: no tables
  std::optional<JobResult> result = {};    // unless refused

  double seconds() const;  // infinite: refused, or a pair has no route
};
// Fastest first. InputError for an unknown name.
std::vector<EngineJob> compare_job(const Model& model, const std::vector<std::string>& names,
                                   const RouteOptions& route, const JobOptions& options);

}  // namespace fatwood
