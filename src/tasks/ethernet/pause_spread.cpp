// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/ethernet/pause_spread.hpp"

#include <algorithm>

#include "routing/adaptive/port_mask.hpp"
#include "verify/deadlock/dependencies.hpp"

namespace fatwood {

namespace {

class Spreading {
 public:
  Spreading(const Model& model, const Routing& routing, Terminal host)
      : fabric_(model.fabric()),
        routing_(routing),
        graph_(fabric_),
        stopped_(fabric_.num_channels()),
        host_(host) {}

  PauseSpread run(std::vector<PausedJob> jobs) {
    into_host_ = fabric_.peer(fabric_.terminal_channel(host_));
    for (const PausedJob& job : jobs) {
      each_packet(job, [&](Channel held, Channel wanted) { add(held, wanted); });
    }
    search();
    PauseSpread spread{.host = host_, .stopped = {}, .jobs = std::move(jobs)};
    for (PausedJob& job : spread.jobs) {
      const bool with_host = std::ranges::find(job.hosts, host_) != job.hosts.end();
      for (const Terminal t : job.hosts) {
        const bool direct = with_host && t != host_;
        const bool stops = stopped_[index(fabric_.terminal_channel(t))] != 0;
        job.senders += stops ? 1 : 0;
        job.direct += stops && direct ? 1 : 0;
      }
      job.stops = job.senders > 0;
    }
    for (const Channel c : ids<Channel>(fabric_.num_channels())) {
      if (stopped_[index(c)] == 0) continue;
      spread.stopped.push_back(c);
      ++(fabric_.is_switch(fabric_.owner(c)) ? spread.between_switches : spread.out_of_hosts);
    }
    return spread;
  }

 private:
  // Calls visit(held, wanted) for each channel that a packet of the job may hold and the next one.
  template <class Visit>
  void each_packet(const PausedJob& job, const Visit& visit) const {
    std::vector<std::uint8_t> seen;
    std::vector<Channel> queue;
    for (const Terminal to : job.hosts) {
      seen.assign(fabric_.num_channels(), 0);
      queue.clear();
      for (const Terminal from : job.hosts) {
        if (from != to && fabric_.leaf(from) != kNone<Switch>) {
          queue.push_back(fabric_.terminal_channel(from));
        }
      }
      const Destination destination = routing_.tables.destination(to);
      for (std::size_t i = 0; i < queue.size(); ++i) {
        const Switch at = fabric_.next_switch(queue[i]);
        for (const Port port : routing_.ports(at, destination)) {
          const Channel next = fabric_.channel(fabric_.node(at), port);
          if (port == kOwnPort || !fabric_.connected(next)) continue;
          visit(queue[i], next);
          if (!fabric_.to_switch(next) || seen[index(next)] != 0) continue;
          seen[index(next)] = 1;
          queue.push_back(next);
        }
      }
    }
  }

  void add(Channel held, Channel wanted) {
    if (wanted == into_host_ || fabric_.to_switch(wanted)) {
      graph_.add(graph_.vertex(fabric_.peer(held)), index(fabric_.port(wanted)));
    }
  }

  // A channel stops if its packets may wait for a port that stops, at the switch that it leads to.
  void search() {
    std::vector<Channel> queue{into_host_};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const Switch at = fabric_.as_switch(fabric_.owner(queue[i]));
      for (const Channel arrival : fabric_.channels(fabric_.node(at))) {
        if (!fabric_.connected(arrival)) continue;
        const Channel held = fabric_.peer(arrival);
        if (stopped_[index(held)] != 0 || !waits(arrival, queue[i])) continue;
        stopped_[index(held)] = 1;
        if (fabric_.is_switch(fabric_.owner(held))) queue.push_back(held);
      }
    }
  }
  bool waits(Channel arrival, Channel wanted) const {
    return graph_.leaves_by(graph_.vertex(arrival), index(fabric_.port(wanted)));
  }

  const Fabric& fabric_;
  const Routing& routing_;
  DependencyGraph graph_;
  std::vector<std::uint8_t> stopped_;  // by channel
  Terminal host_;
  Channel into_host_ = kNone<Channel>;
};

}  // namespace

PauseSpread spread_pause(const Model& model, const Routing& routing, Terminal host,
                         std::vector<PausedJob> jobs) {
  return Spreading(model, routing, host).run(std::move(jobs));
}

}  // namespace fatwood
