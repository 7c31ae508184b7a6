// SPDX-License-Identifier: BSD-3-Clause
#include "verify/priorities/priorities.hpp"

#include <algorithm>
#include <map>

#include "core/parallel.hpp"
#include "routing/adaptive/destination_classes.hpp"
#include "topology/graph/hop_map.hpp"
#include "verify/deadlock/witness.hpp"
#include "verify/priorities/cycle_with.hpp"

namespace fatwood {

namespace {

constexpr std::uint8_t kDrops = 0xff;  // no priority that pauses

// Code points as all ports see them, and what happens to them on a cable.
class Marks {
 public:
  Marks(const Fabric& fabric, const PortPriorities& settings)
      : fabric_(fabric), settings_(settings) {
    std::map<std::vector<std::uint8_t>, std::uint8_t> known;
    for (unsigned point = 0; point < kCodePoints; ++point) {
      std::vector<std::uint8_t> seen;
      for (const PriorityProfile& one : settings.profiles) {
        seen.push_back(one.traffic_class[point]);
      }
      const auto [at, added] = known.emplace(seen, static_cast<std::uint8_t>(points_.size()));
      if (added) points_.push_back(static_cast<std::uint8_t>(point));
      mark_of_[point] = at->second;
    }
    for (const PriorityProfile& one : settings.profiles) {
      for (unsigned tc = 0; tc < kTrafficClasses; ++tc) {
        rewrites_ = rewrites_ || one.rewrite[tc] != kUnchanged || one.bounce[tc] != kUnchanged;
      }
    }
  }

  std::size_t size() const { return points_.size(); }
  bool rewrites() const { return rewrites_; }

  // In which the far end of the channel pauses these packets, or kDrops.
  std::uint8_t priority(Channel c, std::uint8_t mark) const {
    const PriorityProfile* there = settings_.at(fabric_.peer(c));
    const PriorityProfile* here = settings_.at(c);
    const PriorityProfile* sorts = there != nullptr ? there : here;
    if (sorts == nullptr) return kDrops;
    const std::uint8_t priority = sorts->group[sorts->traffic_class[points_[mark]]];
    if (priority >= kPriorities) return kDrops;
    const auto on = [&](const PriorityProfile* end) {
      return end == nullptr || (unsigned{end->pauses} >> priority & 1U) != 0;
    };
    return on(there) && on(here) ? priority : kDrops;
  }
  // Of a packet that came by port `in` and leaves by `out`.
  std::uint8_t next(Switch s, Port in, Port out, std::uint8_t mark) const {
    const Node node = fabric_.node(s);
    const Channel from = fabric_.channel(node, in);
    const Channel to = fabric_.channel(node, out);
    const PriorityProfile* sorts = settings_.at(in == kOwnPort ? to : from);
    const PriorityProfile* leaves = settings_.at(to);
    if (sorts == nullptr || leaves == nullptr) return mark;
    const std::uint8_t tc = sorts->traffic_class[points_[mark]];
    const bool back = fabric_.to_switch(from) && fabric_.to_switch(to);
    const std::uint8_t point =
        back && leaves->bounce[tc] != kUnchanged ? leaves->bounce[tc] : leaves->rewrite[tc];
    return point == kUnchanged ? mark : mark_of_[point];
  }

 private:
  const Fabric& fabric_;
  const PortPriorities& settings_;
  std::vector<std::uint8_t> points_;  // by mark: one of its code points
  std::array<std::uint8_t, kCodePoints> mark_of_{};
  bool rewrites_ = false;
};

// The graph by priority: of the dependencies of routes, each in the priorities of every mark.
DependencyGraph spread_marks(const Fabric& fabric, const DependencyGraph& routes,
                             const Marks& marks) {
  DependencyGraph graph(fabric, kPriorities);
  for (std::uint32_t v = 0; v < routes.size(); ++v) {
    const Channel held = routes.channel(v);
    routes.for_each_successor(v, [&](std::uint32_t next) {
      const Channel wanted = routes.channel(next);
      for (std::uint8_t mark = 0; mark < marks.size(); ++mark) {
        const std::uint8_t priority = marks.priority(held, mark);
        if (priority == kDrops) continue;
        const std::uint8_t then = marks.priority(wanted, mark);
        if (then == kDrops) continue;
        graph.add(graph.vertex(fabric.peer(held), priority),
                  index(fabric.port(wanted)) * kPriorities + then);
      }
    });
  }
  return graph;
}

// Follows packets with their code points, where ports rewrite them.
class MarkedWalks {
 public:
  MarkedWalks(const Fabric& fabric, const Routing& routing, const Marks& marks, Sources sources)
      : fabric_(fabric),
        routing_(routing),
        marks_(marks),
        senders_(fabric, sources),
        map_(fabric),
        starts_(starts_of(fabric, senders_)),
        graph(fabric, kPriorities),
        seen_(fabric.num_channels()) {}

  void follow(std::span<const Destination> destinations) {
    const auto counts = [&](Destination d) { return senders_.counts(routing_.tables, d); };
    const auto first = std::ranges::find_if(destinations, counts);
    if (first == destinations.end()) return;
    std::ranges::fill(seen_, 0);
    const Endpoint to = endpoint(routing_.tables, *first);
    const bool alone = std::find_if(first + 1, destinations.end(), counts) == destinations.end();
    for (const Start& start : starts_) {
      if (alone && start.source == to) continue;
      for (std::uint8_t mark = 0; mark < marks_.size(); ++mark) {
        leave(start.at, start.in, mark, kNone<Channel>, mark, *first);
      }
      drain(*first);
    }
  }

 private:
  struct Arrived {
    Channel by;
    std::uint8_t mark;
  };

  void drain(Destination destination) {
    while (!open_.empty()) {
      const Arrived here = open_.back();
      open_.pop_back();
      leave(fabric_.next_switch(here.by), fabric_.port(fabric_.peer(here.by)), here.mark, here.by,
            here.mark, destination);
    }
  }
  void leave(Switch s, Port in, std::uint8_t mark, Channel held, std::uint8_t held_mark,
             Destination destination) {
    const std::span<const Port> ports = routing_.ports(s, destination);
    for (const Port port : ports) {
      if (port == in && ports.size() > 1 && !routing_.may_return) continue;
      if (!map_.at(s, port).to_switch()) continue;
      const Channel wanted = fabric_.channel(fabric_.node(s), port);
      const std::uint8_t next = marks_.next(s, in, port, mark);
      const std::uint8_t then = marks_.priority(wanted, next);
      const std::uint8_t now = held == kNone<Channel> ? kDrops : marks_.priority(held, held_mark);
      if (now != kDrops && then != kDrops) {
        graph.add(graph.vertex(fabric_.peer(held), now), index(port) * kPriorities + then);
      }
      std::uint64_t& seen = seen_[index(wanted)];
      if ((seen >> next & 1U) != 0) continue;
      seen |= std::uint64_t{1} << next;
      open_.push_back({wanted, next});
    }
  }

  const Fabric& fabric_;
  const Routing& routing_;
  const Marks& marks_;
  Senders senders_;
  HopMap map_;
  std::vector<Start> starts_;

 public:
  DependencyGraph graph;

 private:
  std::vector<std::uint64_t> seen_;  // by channel: marks, one bit each
  std::vector<Arrived> open_;
};

DependencyGraph graph_by_priority(const Fabric& fabric, const Routing& routing, const Marks& marks,
                                  Sources sources, int threads) {
  if (!marks.rewrites()) {
    return spread_marks(fabric, find_dependencies(fabric, routing, sources, threads).front(),
                        marks);
  }
  const DestinationClasses classes = destination_classes(fabric, routing, threads);
  std::vector<MarkedWalks> walks =
      parallel_with(MarkedWalks(fabric, routing, marks, sources), classes.size(), threads,
                    [&](std::size_t c, MarkedWalks& walk) { walk.follow(classes.of(c)); });
  for (std::size_t w = 1; w < walks.size(); ++w) walks.front().graph.merge(walks[w].graph);
  return std::move(walks.front().graph);
}

}  // namespace

bool PrioritiesVerdict::free() const { return std::ranges::all_of(of, &PriorityVerdict::free); }

PrioritiesVerdict find_priorities(const Fabric& fabric, const Routing& routing,
                                  const PortPriorities& settings, const Deadlock& known,
                                  Sources sources, int threads) {
  PrioritiesVerdict verdict;
  verdict.given = !settings.empty();
  if (!verdict.given) {
    PriorityVerdict all;
    const std::size_t lane = known.cyclic_lane();
    if (lane != Deadlock::kNoLane) all.cycle = known.lanes[lane].cycle;
    verdict.of.push_back(std::move(all));
    return verdict;
  }
  const Marks marks(fabric, settings);
  verdict.rewritten = marks.rewrites();
  std::array<std::size_t, kPriorities> channels{};
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.between_switches(c)) continue;
    unsigned here = 0;
    for (std::uint8_t mark = 0; mark < marks.size(); ++mark) {
      const std::uint8_t priority = marks.priority(c, mark);
      if (priority != kDrops) here |= 1U << priority;
    }
    for (unsigned p = 0; p < kPriorities; ++p) channels[p] += here >> p & 1U;
  }
  const DependencyGraph graph = graph_by_priority(fabric, routing, marks, sources, threads);
  const CyclesWith cycles(graph);
  for (unsigned p = 0; p < kPriorities; ++p) {
    if (channels[p] == 0) continue;
    PriorityVerdict one{.priority = p, .channels = channels[p]};
    const std::vector<std::uint32_t> cycle = cycles.through(p);
    std::vector<Channel> held;
    for (const std::uint32_t v : cycle) held.push_back(graph.channel(v));
    if (!held.empty()) one.cycle = find_witnesses(fabric, routing, sources, 0, held);
    for (std::size_t i = 0; i < cycle.size(); ++i) one.cycle[i].lane = graph.lane(cycle[i]);
    verdict.of.push_back(std::move(one));
  }
  return verdict;
}

std::vector<PfcMismatch> find_pfc_mismatches(const Fabric& fabric, const PortPriorities& settings) {
  std::vector<PfcMismatch> found;
  if (settings.empty()) return found;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.between_switches(c) || fabric.peer(c) < c) continue;
    const PriorityProfile* a = settings.at(c);
    const PriorityProfile* b = settings.at(fabric.peer(c));
    if (a == nullptr || b == nullptr) continue;
    PfcMismatch pauses{PfcMismatch::Kind::kPauses, c, {}};
    PfcMismatch points{PfcMismatch::Kind::kMeaning, c, {}};
    PfcMismatch queues{PfcMismatch::Kind::kQueue, c, {}};
    const unsigned either = unsigned{a->pauses} | unsigned{b->pauses};
    const auto paused = [&](const PriorityProfile& end, unsigned point) {
      const unsigned priority = end.group[end.traffic_class[point]];
      return priority < kPriorities && (either >> priority & 1U) != 0 ? priority : kPriorities;
    };
    for (unsigned p = 0; p < kPriorities; ++p) {
      if (((unsigned{a->pauses} ^ unsigned{b->pauses}) >> p & 1U) != 0) pauses.values.push_back(p);
    }
    for (unsigned point = 0; point < kCodePoints; ++point) {
      const unsigned at_a = paused(*a, point), at_b = paused(*b, point);
      if (at_a != at_b) {
        points.values.push_back(point);
        continue;
      }
      if (at_a == kPriorities) continue;
      const bool stops = a->stopped[at_b] == a->queue[a->traffic_class[point]] &&
                         b->stopped[at_a] == b->queue[b->traffic_class[point]];
      if (!stops) queues.values.push_back(point);
    }
    for (PfcMismatch* one : {&pauses, &points, &queues}) {
      if (!one->values.empty()) found.push_back(std::move(*one));
    }
  }
  return found;
}

}  // namespace fatwood
