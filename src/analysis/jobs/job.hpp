// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Times of jobs on a fabric: with each other, alone, and with nothing but their own cables in the
// way; and what holds each back.
//
// Method: programs are routed once and run with fair rates (flow_run.hpp): all together, the others
// repeated until every job has ended once; each alone; each with every cable but the hosts' own
// infinitely fast.
//
// The bottleneck of a job: of the operations that its end depended on, back from the last, the one
// that lost most time against its own cables; the channel that fixed its rate; and every flow, of
// whatever job, that was on that channel at the time. Cost: three runs a job, and one look at every
// edge for the explanation.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "analysis/load/flow_links.hpp"
#include "analysis/rates/flow_run.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

struct PlacedJob {
  std::string name;
  Program program;
  std::vector<Adapter> at;     // by end-point
  double added_seconds = 0;    // a latency that comes once, on top
  double message_latency = 0;  // of every transfer
  double weight = 1;           // of its flows, where they share a cable with those of other jobs
  // Whether each stage is a channel with connections of its own: a hash separates them.
  bool separate_channels = false;

  std::uint32_t connection(const FlowLinks& links, Op op) const {
    return separate_channels && links.hashed() ? program.stage(op) : 0;
  }
};

// A flow on the channel that holds a job back.
struct Holder {
  std::size_t job = 0;
  Op op = 0;
  Adapter from = kNone<Adapter>;
  Adapter to = kNone<Adapter>;
  double rate = 0;  // bytes per second over the channel, at its end
};

struct JobHold {
  Op op = 0;
  std::uint32_t stage = 0;
  double start = 0, end = 0;  // of the operation
  double rate = 0;            // of the operation, bytes per second
  double own_rate = 0;        // if only the hosts' cables limit it
  Channel channel = kNone<Channel>;
  double capacity = 0;          // of the channel
  std::vector<Holder> holders;  // its own flows first, then by job
};

struct JobOutcome {
  double seconds = 0;
  double alone_seconds = 0;
  double own_seconds = 0;  // if only the hosts' cables limit it
  double bytes = 0;        // over all edges
  JobHold hold;            // op of kTransfer kind, or none: channel kNone
  std::vector<std::string> stage_names;
};

struct JobStudy {
  std::vector<JobOutcome> jobs;
  // Pairs without a route; when there are any, nothing was run.
  struct Unrouted {
    std::size_t job;
    Adapter from, to;
  };
  std::vector<Unrouted> unrouted;
  std::uint64_t events = 0;
};

// Bytes a second of every channel by its rate; of those without one, that of most.
std::vector<double> channel_capacity(const Fabric& fabric);

JobStudy study_jobs(const Fabric& fabric, FlowLinks& links, const std::vector<double>& capacity,
                    const std::vector<PlacedJob>& jobs);

// Seconds of one job alone, without explanations; infinite when a pair has no route.
double job_seconds(FlowLinks& links, const std::vector<double>& capacity, const PlacedJob& job);

}  // namespace fatwood
