// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A host pauses its cable forever: which ports can stop, and which jobs?
//
// Model: as for deadlock (verify/deadlock/dependencies.hpp). A channel can stop if a packet in it
// may wait for one that can stop; what a channel holds moves in order, so all of it stops. Only
// packets of the jobs count (all pairs of hosts in a job send to each other); without jobs, packets
// between all hosts. One priority: hosts that send in another one do not stop.
//
// Method: the dependencies of the jobs, then a search backwards from the host's cable.
// Cost: O(rows * ports) for each job.

#include <string>
#include <vector>

#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct PausedJob {
  std::string name;
  std::vector<Terminal> hosts;
  bool stops = false;       // some of its packets can stop
  std::size_t senders = 0;  // ports of its hosts that can stop sending
  std::size_t direct = 0;   // of these, because they send to the paused host
};

struct PauseSpread {
  Terminal host = kNone<Terminal>;
  std::vector<Channel> stopped;  // between switches and out of hosts; ascending
  std::size_t between_switches = 0, out_of_hosts = 0;
  std::vector<PausedJob> jobs;
};

// `jobs`: names and hosts; at least one. REQUIRES tables of this fabric's size on one lane.
PauseSpread spread_pause(const Model& model, const Routing& routing, Terminal host,
                         std::vector<PausedJob> jobs);

}  // namespace fatwood
