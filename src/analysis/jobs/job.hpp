// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The times of jobs on a fabric: together, alone, and limited only by their own host cables; and
// what limits each job.
//
// Method: programs are routed once and run with fair rates (flow_run.hpp) three times: all
// together, where jobs repeat until every job has ended once; each alone; and each with all cables
// infinitely fast except those of its hosts.
//
// The bottleneck of a job is found backwards from its end. Of the operations that the end depended
// on, take the one that lost most time compared with its own cables. The bottleneck is the channel
// that limited its rate; every flow, of any job, on that channel at that time is reported.
// Cost: three runs per job, and one pass over all edges for the explanation.

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/load/flow_links.hpp"
#include "analysis/rates/flow_run.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

struct PlacedJob {
  std::string name;
  Program program;
  std::vector<Adapter> at;     // by endpoint
  double added_seconds = 0;    // a latency that is added once
  double message_latency = 0;  // of every transfer
  double weight = 1;           // of its flows, when they share a cable with other jobs
  // Whether each stage is a channel with connections of its own, which a hash separates.
  bool separate_channels = false;

  std::uint32_t connection(const FlowLinks& links, Op op) const {
    return separate_channels && links.hashed() ? program.stage(op) : 0;
  }
  RunProgram alone(const OpUses& uses) const {
    return {&program, &uses, false, message_latency, weight, {}};
  }
};

// The links of flows, looked up once for each connection and pair.
class KnownLinks {
 public:
  explicit KnownLinks(FlowLinks& links) : links_(links) {}

  // The links of each operation if the job's endpoints are at these adapters. Calls lost(from, to)
  // where a pair has no route.
  template <class Lost>
  OpUses route(const PlacedJob& job, std::span<const Adapter> at, const Lost& lost) {
    return route_program(job.program, [&](Op op, const Edge& edge, const auto& take) {
      const Adapter from = at[edge.from];
      const Adapter to = at[edge.to];
      if (from == to) return;
      const std::vector<LinkUse>& list = find(from, to, job.connection(links_, op));
      if (list.empty()) lost(from, to);
      for (const LinkUse& use : list) take(use.link, use.amount);
    });
  }

 private:
  const std::vector<LinkUse>& find(Adapter from, Adapter to, std::uint32_t connection) {
    if (known_.size() <= connection) known_.resize(connection + 1);
    const std::uint64_t key = (std::uint64_t{index(from)} << 32) | index(to);
    const auto [at, added] = known_[connection].try_emplace(key);
    if (added) at->second = links_.links(from, to, connection);
    return at->second;
  }

  FlowLinks& links_;
  // By connection, then pair.
  std::vector<std::unordered_map<std::uint64_t, std::vector<LinkUse>>> known_;
};

// A flow on the channel that limits a job.
struct Holder {
  std::size_t job = 0;
  Op op = 0;
  Adapter from = kNone<Adapter>;
  Adapter to = kNone<Adapter>;
  double rate = 0;  // bytes per second over the channel, at the end of the operation
};

struct JobHold {
  Op op = 0;
  std::uint32_t stage = 0;
  double start = 0, end = 0;  // of the operation
  double rate = 0;            // of the operation, bytes per second
  double own_rate = 0;        // if only the hosts' cables limited it
  Channel channel = kNone<Channel>;
  double capacity = 0;          // of the channel
  std::vector<Holder> holders;  // its own flows first, then by job
};

struct JobOutcome {
  double seconds = 0;
  double alone_seconds = 0;
  double own_seconds = 0;  // if only the hosts' cables limited it
  double bytes = 0;        // over all edges
  JobHold hold;            // of a kTransfer operation; channel kNone: nothing limits the job
  std::vector<std::string> stage_names;
};

struct JobStudy {
  std::vector<JobOutcome> jobs;
  // Pairs without a route. If there are any, nothing was run.
  struct Unrouted {
    std::size_t job;
    Adapter from, to;
  };
  std::vector<Unrouted> unrouted;
  std::uint64_t events = 0;
};

// Bytes per second of every channel by its rate. Channels without a rate get the most frequent one.
std::vector<double> channel_capacity(const Fabric& fabric);

JobStudy study_jobs(const Fabric& fabric, FlowLinks& links, const std::vector<double>& capacity,
                    const std::vector<PlacedJob>& jobs);

// Seconds of one job alone, without explanations; infinite if a pair has no route.
double job_seconds(FlowLinks& links, const std::vector<double>& capacity, const PlacedJob& job);

}  // namespace fatwood
