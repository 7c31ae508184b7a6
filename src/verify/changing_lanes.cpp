// SPDX-License-Identifier: BSD-3-Clause
#include "verify/changing_lanes.hpp"

#include <algorithm>
#include <optional>

#include "core/parallel.hpp"
#include "topology/hop_map.hpp"

namespace fatwood {

namespace {

// Where packets start: a terminal's port, or a switch's own.
struct Start {
  Switch at;
  Port in;
  Endpoint source;
};

std::vector<Start> starts_of(const Fabric& fabric, const Senders& senders) {
  std::vector<Start> starts;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) == kNone<Switch> || !senders.counts(t)) continue;
    const Channel arrival = fabric.peer(fabric.terminal_channel(t));
    starts.push_back({fabric.leaf(t), fabric.port(arrival), endpoint(t)});
  }
  if (!senders.switches()) return starts;
  for (const Switch s : ids<Switch>(fabric.num_switches())) starts.push_back({s, 0, endpoint(s)});
  return starts;
}

class Walks {
 public:
  Walks(const Fabric& fabric, const Routing& routing, Sources sources)
      : fabric_(fabric),
        routing_(routing),
        senders_(fabric, sources),
        hops_(fabric),
        lanes_(routing.sl2vl.lanes()),
        starts_(starts_of(fabric, senders_)),
        graph_(fabric, lanes_) {}

  const DependencyGraph& empty_graph() const { return graph_; }
  const Senders& senders() const { return senders_; }

  // Calls visit(start, vertex held, vertex wanted) for each wait of the packets to this target;
  // go_on(vertex, level, steps so far) says whether to follow a path beyond a vertex.
  template <class GoOn, class Visit>
  void each_wait(Target target, const GoOn& go_on, const Visit& visit) const {
    const ForwardingTables& tables = routing_.tables;
    if (!senders_.counts(tables, target)) return;
    const auto row = tables.row(target);
    const Endpoint to = endpoint(tables, target);
    for (const Start& start : starts_) {
      if (start.source == to) continue;
      const unsigned level = routing_.lanes.at(target, start.at);
      std::uint32_t held = kNothing;
      std::uint32_t x = index(start.at);
      Port in = start.in;
      for (std::size_t steps = 0;; ++steps) {
        const Hop hop = hops_.at(x, row[x]);
        if (!hop.to_switch()) break;
        const auto s = static_cast<Switch>(x);
        const std::uint32_t wanted = graph_.vertex(fabric_.channel(fabric_.node(s), row[x]),
                                                   routing_.sl2vl.lane(s, in, row[x], level));
        if (held != kNothing) visit(start, held, wanted);
        if (!go_on(wanted, level, steps)) break;
        held = wanted;
        x = hop.next();
        in = hop.arrival();
      }
    }
  }

  // What for_each_successor of the graph calls a port: with its lane.
  std::uint32_t out_of(std::uint32_t vertex) const {
    const Channel c = graph_.channel(vertex);
    return fabric_.port(c) * lanes_ + graph_.lane(vertex);
  }
  std::uint32_t arrival_of(std::uint32_t vertex) const {
    return graph_.vertex(fabric_.peer(graph_.channel(vertex)), graph_.lane(vertex));
  }

 private:
  static constexpr std::uint32_t kNothing = 0xffffffffU;

  const Fabric& fabric_;
  const Routing& routing_;
  Senders senders_;
  HopMap hops_;
  unsigned lanes_;
  std::vector<Start> starts_;
  DependencyGraph graph_;  // for its numbering
};

// Levels whose paths have been through a vertex, for one target.
class Seen {
 public:
  explicit Seen(std::size_t vertices) : levels_(vertices) {}
  bool first(std::uint32_t vertex, unsigned level) {
    const auto bit = static_cast<std::uint16_t>(1U << level);
    if ((levels_[vertex] & bit) != 0) return false;
    if (levels_[vertex] == 0) touched_.push_back(vertex);
    levels_[vertex] = static_cast<std::uint16_t>(levels_[vertex] | bit);
    return true;
  }
  void forget() {
    for (const std::uint32_t vertex : touched_) levels_[vertex] = 0;
    touched_.clear();
  }

 private:
  std::vector<std::uint16_t> levels_;
  std::vector<std::uint32_t> touched_;
};

DependencyGraph all_dependencies(const Routing& routing, const Walks& walks, int threads) {
  struct Worker {
    DependencyGraph graph;
    Seen seen;
  };
  std::vector<Worker> workers(static_cast<std::size_t>(thread_count(threads)),
                              {walks.empty_graph(), Seen(walks.empty_graph().size())});
  parallel_for(
      walks.senders().targets(routing.tables), threads,
      [&](std::size_t target, int thread) {
        Worker& worker = workers[static_cast<std::size_t>(thread)];
        walks.each_wait(
            static_cast<Target>(target),
            [&](std::uint32_t vertex, unsigned level, std::size_t) {
              return worker.seen.first(vertex, level);
            },
            [&](const Start&, std::uint32_t held, std::uint32_t wanted) {
              worker.graph.add(walks.arrival_of(held), walks.out_of(wanted));
            });
        worker.seen.forget();
      },
      16);
  for (std::size_t w = 1; w < workers.size(); ++w) workers[0].graph.merge(workers[w].graph);
  return std::move(workers[0].graph);
}

int rank(const Dependency& d) {
  return (d.source.is_switch() ? 1 : 0) + (d.destination.is_switch() ? 2 : 0);
}

// A pair for each wait of the cycle: of terminals before others, the lowest target first.
std::vector<Dependency> witnesses(const Fabric& fabric, const Routing& routing, const Walks& walks,
                                  const std::vector<std::uint32_t>& cycle) {
  std::vector<std::optional<Dependency>> found(cycle.size());
  const DependencyGraph& graph = walks.empty_graph();
  const ForwardingTables& tables = routing.tables;
  for (const Target target : ids<Target>(walks.senders().targets(tables))) {
    const auto note = [&](const Start& start, std::uint32_t held, std::uint32_t wanted) {
      const auto at = std::ranges::find(cycle, held);
      if (at == cycle.end()) return;
      const auto i = static_cast<std::size_t>(at - cycle.begin());
      if (cycle[(i + 1) % cycle.size()] != wanted) return;
      Dependency one{graph.channel(held), start.source, endpoint(tables, target), 0,
                     graph.lane(held)};
      if (!one.destination.is_switch()) one.offset = index(target) & ((1U << tables.lmc()) - 1);
      if (!found[i] || rank(one) < rank(*found[i])) found[i] = one;
    };
    // Packets that circle are followed round and on into the same channels.
    const auto go_on = [&](std::uint32_t, unsigned, std::size_t steps) {
      return steps <= 2 * fabric.num_switches();
    };
    walks.each_wait(target, go_on, note);
    if (std::ranges::all_of(found, [](const auto& one) { return one && rank(*one) == 0; })) break;
  }
  std::vector<Dependency> result;
  for (const auto& one : found) result.push_back(one.value_or(Dependency{}));
  return result;
}

}  // namespace

Deadlock find_changing_deadlock(const Fabric& fabric, const Routing& routing, Sources sources,
                                int threads) {
  const Walks walks(fabric, routing, sources);
  const DependencyGraph graph = all_dependencies(routing, walks, threads);
  Deadlock result;
  result.changing = routing.sl2vl.lanes();
  LaneVerdict verdict;
  verdict.dependencies = graph.edges();
  const std::vector<std::uint32_t> order = topological_order(graph);
  if (order.size() == graph.size()) {
    for (const std::uint32_t vertex : order) {
      if (!fabric.connected(graph.channel(vertex))) continue;
      verdict.order.push_back(graph.channel(vertex));
      verdict.lane_at.push_back(static_cast<std::uint8_t>(graph.lane(vertex)));
    }
  } else {
    verdict.cycle = witnesses(fabric, routing, walks, shortest_cycle(graph));
  }
  result.lanes.push_back(std::move(verdict));
  return result;
}

}  // namespace fatwood
