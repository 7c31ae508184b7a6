// SPDX-License-Identifier: BSD-3-Clause
#include "verify/deadlock/dependencies.hpp"

#include <algorithm>
#include <bit>

#include "core/parallel.hpp"
#include "routing/adaptive/destination_classes.hpp"
#include "routing/tables/destination_tree.hpp"
#include "topology/graph/hop_map.hpp"
#include "verify/deadlock/row_dependencies.hpp"

namespace fatwood {

DependencyGraph::DependencyGraph(const Fabric& fabric, std::uint32_t lanes) : lanes_(lanes) {
  if (fabric.num_switches() == 0) return;
  base_ = index(fabric.channel(fabric.node(Switch{0}), kOwnPort));
  slots_ = (static_cast<std::uint32_t>(fabric.num_channels()) - base_) * lanes;
  arrival_.resize(slots_, kNowhere);
  first_of_.resize(slots_);
  std::uint32_t most = 0;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const Node node = fabric.node(s);
    most = std::max(most, fabric.ports(node));
    for (const Port port : ids<Port>(fabric.ports(node) + 1)) {
      const Channel c = fabric.channel(node, port);
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        first_of_[vertex(c, lane)] = vertex(fabric.channel(node, kOwnPort));
        if (fabric.to_switch(c)) {
          arrival_[vertex(c, lane)] = vertex(fabric.peer(c), lane);
        }
      }
    }
  }
  stride_ = ((most + 1) * lanes - 1) / 64 + 1;
  words_.resize(std::size_t{slots_} * stride_);
}

bool DependencyGraph::depends(std::uint32_t from, std::uint32_t on) const {
  const std::uint32_t arrival = arrival_[from];
  if (arrival == kNowhere || first_of_[arrival] != first_of_[on]) return false;
  const std::uint32_t port = on - first_of_[on];
  return (words_[std::size_t{arrival} * stride_ + port / 64] >> (port % 64) & 1) != 0;
}

std::uint64_t DependencyGraph::edges() const {
  std::uint64_t count = 0;
  for (const std::uint64_t word : words_) count += static_cast<std::uint64_t>(std::popcount(word));
  return count;
}

namespace {

// The choices of an entry of adaptive tables: ports that lead to switches; several: more than one
// port in all.
struct Onward {
  PortMask ports{};
  bool several = false;
};

// One thread's graphs and scratch.
struct LaneWorker {
  std::vector<DependencyGraph> lanes;
  std::vector<Hop> hop;                   // of each switch, for the destination at hand
  std::vector<std::uint32_t> walked;      // of each switch: lanes in which its onward path is laid
  std::vector<Onward> onward = {};        // adaptive: of each switch, for the destination at hand
  std::vector<std::uint32_t> queue = {};  // adaptive: switches that packets of a lane come to
};

Onward onward_by(const HopMap& map, std::uint32_t s, std::span<const Port> ports) {
  Onward onward;
  onward.several = ports.size() > 1;
  for (const Port port : ports) {
    if (map.at(s, port).to_switch()) put(onward.ports, port);
  }
  return onward;
}

// For every kind of every switch, because there are far more entries than kinds.
struct OnwardKinds {
  std::vector<std::size_t> first;  // by switch
  std::vector<Onward> kind;

  OnwardKinds(const Fabric& fabric, const HopMap& map, const PortSets& sets) {
    if (sets.empty()) return;
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      first.push_back(kind.size());
      for (std::size_t k = 0; k < sets.num_kinds(s); ++k) {
        kind.push_back(onward_by(map, index(s), sets.of(s, static_cast<PortSets::Kind>(k)).ports));
      }
    }
  }
};

struct LaneJob {
  const Fabric& fabric;
  const Routing& routing;
  HopMap map;
  OnwardKinds onward;
  std::vector<std::uint32_t> first_slot;  // of each switch
  std::vector<std::uint32_t> starts;      // switches where packets start
  Senders senders;

  LaneJob(const Fabric& f, const Routing& r, Sources sources)
      : fabric(f), routing(r), map(f), onward(f, map, r.sets), senders(f, sources) {
    const DependencyGraph numbering(f);
    for (const Switch s : ids<Switch>(f.num_switches())) {
      first_slot.push_back(numbering.vertex(f.channel(f.node(s), kOwnPort)));
      if (senders.starts_at(s)) starts.push_back(index(s));
    }
  }
};

// Follows the path of each source in its lane, until it joins a path already followed in that lane.
void lay_paths(const LaneJob& job, Destination destination, std::span<const Port> row,
               LaneWorker& worker) {
  const Lanes& lanes = job.routing.lanes;
  const std::vector<Hop>& hop = worker.hop;
  std::fill(worker.walked.begin(), worker.walked.end(), 0U);
  const std::uint32_t silent =
      index(job.senders.silent(job.fabric, job.routing.tables, destination));
  for (const std::uint32_t s : job.starts) {
    if (s == silent) continue;
    const unsigned lane = lanes.at(destination, static_cast<Switch>(s));
    const std::uint32_t bit = 1U << lane;
    DependencyGraph& graph = worker.lanes[lane];
    for (std::uint32_t x = s; hop[x].to_switch() && (worker.walked[x] & bit) == 0;) {
      worker.walked[x] |= bit;
      const std::uint32_t y = hop[x].next();
      if (hop[y].to_switch()) graph.add(job.first_slot[y] + index(hop[x].arrival()), index(row[y]));
      x = y;
    }
  }
}

// Adds the channels that a packet which holds a channel into y may need there.
void lay_arrival(const LaneJob& job, std::uint32_t y, Port arrival, const Onward& onward,
                 DependencyGraph& graph) {
  PortMask ports = onward.ports;
  if (onward.several && !job.routing.may_return) drop(ports, arrival);
  graph.add(job.first_slot[y] + index(arrival), ports);
}

// Adaptive: all choices of all packets of a lane to one destination.
void lay_choices(const LaneJob& job, Destination destination, LaneWorker& worker) {
  const auto switches = static_cast<std::uint32_t>(job.first_slot.size());
  worker.onward.resize(switches);
  const PortSets& sets = job.routing.sets;
  const std::uint32_t kinds = sets.row(destination);
  const std::span<const Port> own = job.routing.tables.row(destination);
  for (std::uint32_t s = 0; s < switches; ++s) {
    const PortSets::Kind kind = sets.kind_in(kinds, static_cast<Switch>(s));
    worker.onward[s] = kind == 0 ? onward_by(job.map, s, PortSets::one_port(own[s]))
                                 : job.onward.kind[job.onward.first[s] + kind];
  }
  std::fill(worker.walked.begin(), worker.walked.end(), 0U);
  const std::uint32_t silent =
      index(job.senders.silent(job.fabric, job.routing.tables, destination));
  for (const std::uint32_t start : job.starts) {
    if (start == silent) continue;
    const unsigned lane = job.routing.lanes.at(destination, static_cast<Switch>(start));
    const std::uint32_t bit = 1U << lane;
    if ((worker.walked[start] & bit) != 0) continue;
    worker.walked[start] |= bit;
    worker.queue.assign(1, start);
    while (!worker.queue.empty()) {
      const std::uint32_t x = worker.queue.back();
      worker.queue.pop_back();
      for (const Port port : job.routing.ports(static_cast<Switch>(x), destination)) {
        const Hop hop = job.map.at(x, port);
        if (!hop.to_switch()) continue;
        const std::uint32_t y = hop.next();
        lay_arrival(job, y, hop.arrival(), worker.onward[y], worker.lanes[lane]);
        if ((worker.walked[y] & bit) != 0) continue;
        worker.walked[y] |= bit;
        worker.queue.push_back(y);
      }
    }
  }
}

// All destinations of a class that count are alike, except for the hosts on them.
void lay_class(const LaneJob& job, std::span<const Destination> destinations, LaneWorker& worker) {
  const auto counts = [&](Destination destination) {
    return job.senders.counts(job.routing.tables, destination);
  };
  const auto first = std::ranges::find_if(destinations, counts);
  if (first != destinations.end()) lay_choices(job, *first, worker);
}

std::vector<DependencyGraph> lay_source_routes(const LaneJob& job) {
  DependencyGraph graph(job.fabric);
  const SourceRoutes& routes = job.routing.source_routes;
  for (const std::uint32_t s : job.starts) {
    for (const std::uint32_t d : job.starts) {
      const auto path = routes.at(static_cast<Switch>(s), static_cast<Switch>(d));
      // A source route with a gap carries no packet; reachability reports it.
      if (!source_route_arrives(job.fabric, routes, static_cast<Switch>(s), static_cast<Switch>(d)))
        continue;
      for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        graph.add(graph.vertex(job.fabric.peer(path[i])), index(job.fabric.port(path[i + 1])));
      }
    }
  }
  return {graph};
}

}  // namespace

DependencyGraph graph_of(const Fabric& fabric, const DependencyCounts& counts) {
  DependencyGraph graph(fabric);
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const Node node = fabric.node(s);
    for (const Port arrival : ids<Port>(fabric.ports(node) + 1)) {
      const std::uint32_t slot = graph.vertex(fabric.channel(node, arrival));
      const std::span<const std::uint32_t> rows = counts.after(s, arrival);
      for (std::uint32_t out = 0; out < rows.size(); ++out) {
        if (rows[out] != 0) graph.add(slot, out);
      }
    }
  }
  return graph;
}

std::vector<DependencyGraph> find_dependencies(const Fabric& fabric, const Routing& routing,
                                               Sources sources, int threads) {
  const LaneJob job(fabric, routing, sources);
  if (!routing.source_routes.empty()) return lay_source_routes(job);

  const ForwardingTables& tables = routing.tables;
  const unsigned lanes = routing.lanes.lane.empty() ? 1 : routing.lanes.count;
  const bool adaptive = !routing.sets.empty();
  if (lanes == 1 && job.senders.switches() && !adaptive) {
    return {find_row_dependencies(fabric, job.map, tables, threads)};
  }
  LaneWorker fresh{.lanes = std::vector<DependencyGraph>(lanes, DependencyGraph(fabric)),
                   .hop = std::vector<Hop>(fabric.num_switches()),
                   .walked = std::vector<std::uint32_t>(fabric.num_switches())};
  const DestinationClasses classes =
      adaptive ? destination_classes(fabric, routing, threads) : DestinationClasses{};
  const std::size_t destinations = job.senders.destinations(tables);
  std::vector<LaneWorker> workers = parallel_with(
      fresh, adaptive ? classes.size() : destinations, threads,
      [&](std::size_t item, LaneWorker& worker) {
        if (adaptive) {
          lay_class(job, classes.of(item), worker);
          return;
        }
        const auto destination = static_cast<Destination>(item);
        if (!job.senders.counts(tables, destination)) return;
        const std::span<const Port> row = tables.row(destination);
        for (std::uint32_t s = 0; s < row.size(); ++s) worker.hop[s] = job.map.at(s, row[s]);
        lay_paths(job, destination, row, worker);
      },
      16);
  for (std::size_t w = 1; w < workers.size(); ++w) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
      workers.front().lanes[lane].merge(workers[w].lanes[lane]);
    }
  }
  return std::move(workers.front().lanes);
}

}  // namespace fatwood
