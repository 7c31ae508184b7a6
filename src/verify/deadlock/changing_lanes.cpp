// SPDX-License-Identifier: BSD-3-Clause
#include "verify/deadlock/changing_lanes.hpp"

#include <algorithm>
#include <optional>

#include "core/parallel.hpp"
#include "routing/adaptive/destination_classes.hpp"
#include "topology/graph/hop_map.hpp"
#include "verify/deadlock/all_levels.hpp"
#include "verify/reach/discarded.hpp"

namespace fatwood {

namespace {

// The SLs whose paths have visited a vertex, for one destination.
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

  // Calls visit(start, vertex held, vertex wanted) for each dependency of the packets to this
  // destination from the starts for which `who` is true. What a packet does after a vertex depends
  // on its SL alone: it is followed from there only if `seen` does not have both yet.
  template <class Who, class Visit>
  void each_dependency(Destination destination, Seen& seen, const Who& who,
                       const Visit& visit) const {
    const ForwardingTables& tables = routing_.tables;
    if (!senders_.counts(tables, destination)) return;
    const Endpoint to = endpoint(tables, destination);
    std::vector<Arrived> open;
    for (const Start& start : starts_) {
      if (start.source == to || !who(start)) continue;
      const unsigned level = routing_.lanes.at(destination, start.at);
      open.assign(1, {start.at, start.in, kNothing});
      while (!open.empty()) {
        const Arrived here = open.back();
        open.pop_back();
        const std::span<const Port> ports = routing_.ports(here.at, destination);
        for (const Port port : ports) {
          // Not back where it came from.
          if (port == here.in && ports.size() > 1 && !routing_.may_return) continue;
          const Hop hop = hops_.at(index(here.at), port);
          if (!hop.to_switch()) continue;
          const std::uint32_t wanted =
              graph_.vertex(fabric_.channel(fabric_.node(here.at), port),
                            routing_.sl2vl.lane(here.at, here.in, port, level));
          if (here.held != kNothing) visit(start, here.held, wanted);
          if (!seen.first(wanted, level)) continue;
          open.push_back({static_cast<Switch>(hop.next()), hop.arrival(), wanted});
        }
      }
    }
  }

  // The port as for_each_successor of the graph has it: with its lane.
  std::uint32_t out_of(std::uint32_t vertex) const {
    const Channel c = graph_.channel(vertex);
    return index(fabric_.port(c)) * lanes_ + graph_.lane(vertex);
  }
  std::uint32_t arrival_of(std::uint32_t vertex) const {
    return graph_.vertex(fabric_.peer(graph_.channel(vertex)), graph_.lane(vertex));
  }

 private:
  static constexpr std::uint32_t kNothing = 0xffffffffU;
  // A packet at a switch, and what it holds.
  struct Arrived {
    Switch at;
    Port in;
    std::uint32_t held;
  };

  const Fabric& fabric_;
  const Routing& routing_;
  Senders senders_;
  HopMap hops_;
  unsigned lanes_;
  std::vector<Start> starts_;
  DependencyGraph graph_;  // for its numbering
};

// A destination that stands for its class, and a second one, if any, for the packets from the
// first.
struct Item {
  Destination destination;
  std::optional<Destination> second;
};

std::vector<Item> items_of(const Fabric& fabric, const Routing& routing, const Walks& walks,
                           int threads) {
  const ForwardingTables& tables = routing.tables;
  std::vector<Item> items;
  if (routing.sets.empty()) {
    for (const Destination destination : ids<Destination>(walks.senders().destinations(tables))) {
      items.push_back({destination, std::nullopt});
    }
    return items;
  }
  const DestinationClasses classes = destination_classes(fabric, routing, threads);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    std::optional<Item> item;
    for (const Destination destination : classes.of(c)) {
      if (!walks.senders().counts(tables, destination)) continue;
      if (!item) {
        item = Item{destination, std::nullopt};
      } else if (endpoint(tables, destination) != endpoint(tables, item->destination)) {
        item->second = destination;
        break;
      }
    }
    if (item) items.push_back(*item);
  }
  return items;
}

DependencyGraph all_dependencies(const Fabric& fabric, const Routing& routing, const Walks& walks,
                                 int threads) {
  struct Worker {
    DependencyGraph graph;
    Seen seen;
  };
  const std::vector<Item> items = items_of(fabric, routing, walks, threads);
  std::vector<Worker> workers = parallel_with(
      Worker{walks.empty_graph(), Seen(walks.empty_graph().size())}, items.size(), threads,
      [&](std::size_t i, Worker& worker) {
        const auto note = [&](const Start&, std::uint32_t held, std::uint32_t wanted) {
          worker.graph.add(walks.arrival_of(held), walks.out_of(wanted));
        };
        const auto [destination, second] = items[i];
        walks.each_dependency(destination, worker.seen, [](const Start&) { return true; }, note);
        if (second) {
          const Endpoint first = endpoint(routing.tables, destination);
          const auto is_first = [&](const Start& start) { return start.source == first; };
          walks.each_dependency(*second, worker.seen, is_first, note);
        }
        worker.seen.forget();
      },
      16);
  for (std::size_t w = 1; w < workers.size(); ++w) workers[0].graph.merge(workers[w].graph);
  return std::move(workers[0].graph);
}

using Witnesses = std::vector<std::optional<Dependency>>;

// Adds a pair for each dependency of the cycle: pairs of terminals first, then the lowest
// destination.
void add_witnesses(const Routing& routing, const Walks& walks,
                   const std::vector<std::uint32_t>& cycle, Witnesses& found) {
  const DependencyGraph& graph = walks.empty_graph();
  const ForwardingTables& tables = routing.tables;
  Seen seen(graph.size());
  // The position in the cycle of the held vertex, if the wanted one is the next.
  const auto place = [&](std::uint32_t held, std::uint32_t wanted) -> std::optional<std::size_t> {
    const auto at = std::ranges::find(cycle, held);
    if (at == cycle.end()) return std::nullopt;
    const auto i = static_cast<std::size_t>(at - cycle.begin());
    return cycle[(i + 1) % cycle.size()] == wanted ? std::optional(i) : std::nullopt;
  };
  for (const Destination destination : ids<Destination>(walks.senders().destinations(tables))) {
    bool any = false;
    walks.each_dependency(
        destination, seen, [](const Start&) { return true; },
        [&](const Start&, std::uint32_t held, std::uint32_t wanted) {
          any = any || place(held, wanted).has_value();
        });
    seen.forget();
    if (!any) continue;
    const auto note = [&](const Start& start, std::uint32_t held, std::uint32_t wanted) {
      const std::optional<std::size_t> i = place(held, wanted);
      if (!i) return;
      const Dependency one =
          dependency(graph.channel(held), graph.lane(held), start.source, tables, destination);
      if (!found[*i] || one.rank() < found[*i]->rank()) found[*i] = one;
    };
    // The packets of each start are followed along their whole path.
    const auto afresh = [&](const Start&) {
      seen.forget();
      return true;
    };
    walks.each_dependency(destination, seen, afresh, note);
    seen.forget();
    if (std::ranges::all_of(found, [](const auto& one) { return one && one->rank() == 0; })) break;
  }
}

// The proof, or a shortest cycle without pairs.
LaneVerdict order_or_cycle(const Fabric& fabric, const DependencyGraph& graph,
                           std::vector<std::uint32_t>& cycle) {
  LaneVerdict verdict;
  verdict.dependencies = graph.edges();
  const std::vector<std::uint32_t> order = topological_order(graph);
  if (order.size() < graph.size()) {
    cycle = shortest_cycle(graph);
    return verdict;
  }
  for (const std::uint32_t vertex : order) {
    if (!fabric.connected(graph.channel(vertex))) continue;
    verdict.order.push_back(graph.channel(vertex));
    verdict.lane_at.push_back(static_cast<std::uint8_t>(graph.lane(vertex)));
  }
  return verdict;
}

std::vector<Dependency> pairs_of(const Witnesses& found) {
  std::vector<Dependency> result;
  for (const auto& one : found) result.push_back(one.value_or(Dependency{}));
  return result;
}

bool has_cycle(const DependencyGraph& graph) {
  return topological_order(graph).size() < graph.size();
}

// Every path has this SL.
Lanes constant_level(const Routing& routing, unsigned level) {
  Lanes lanes;
  lanes.count = level + 1;
  lanes.switches = routing.tables.num_switches();
  lanes.row_of.assign(routing.tables.num_destinations(), 0);
  lanes.lane.assign(lanes.switches, static_cast<std::uint8_t>(level));
  return lanes;
}

// Each SL has one VL everywhere: what holds for the tables on one VL holds for each of them.
AllLevels levels_on_own_lanes(const Fabric& fabric, const Routing& routing, const LaneOfSl& same,
                              Sources sources, int threads) {
  AllLevels found;
  Routing one = routing;
  one.lanes = {};
  found.deadlock = find_deadlock(fabric, one, sources, threads);
  for (unsigned level = 0; level < kLevels; ++level) {
    std::uint16_t& kind = same[level] == 15       ? found.discarded
                          : found.deadlock.free() ? found.together
                                                  : found.cyclic;
    kind = static_cast<std::uint16_t>(kind | 1U << level);
  }
  return found;
}

}  // namespace

Deadlock find_changing_deadlock(const Fabric& fabric, const Routing& routing, Sources sources,
                                int threads) {
  const Walks walks(fabric, routing, sources);
  Deadlock result;
  result.changing = routing.sl2vl.lanes();
  std::vector<std::uint32_t> cycle;
  result.lanes.push_back(
      order_or_cycle(fabric, all_dependencies(fabric, routing, walks, threads), cycle));
  if (cycle.empty()) return result;
  Witnesses found(cycle.size());
  add_witnesses(routing, walks, cycle, found);
  result.lanes.front().cycle = pairs_of(found);
  return result;
}

AllLevels find_all_levels(const Fabric& fabric, const Routing& routing, const LaneMap& map,
                          const LaneOfSl& same, Sources sources, int threads) {
  if (map.empty()) return levels_on_own_lanes(fabric, routing, same, sources, threads);
  AllLevels result;
  Routing one = routing;
  one.sl2vl = map;
  const auto set_level = [&](unsigned level) { one.lanes = constant_level(routing, level); };
  std::optional<DependencyGraph> safe, all;
  for (unsigned level = 0; level < kLevels; ++level) {
    const auto bit = static_cast<std::uint16_t>(1U << level);
    set_level(level);
    if (find_discarded(fabric, one).pairs.total() > 0) {
      result.discarded = static_cast<std::uint16_t>(result.discarded | bit);
      continue;
    }
    const DependencyGraph graph =
        all_dependencies(fabric, one, Walks(fabric, one, sources), threads);
    if (all) {
      all->merge(graph);
    } else {
      all = graph;
    }
    if (has_cycle(graph)) {
      result.cyclic = static_cast<std::uint16_t>(result.cyclic | bit);
      continue;
    }
    DependencyGraph both = graph;
    if (safe) both.merge(*safe);
    if (has_cycle(both)) continue;
    safe = std::move(both);
    result.together = static_cast<std::uint16_t>(result.together | bit);
  }
  result.deadlock.changing = map.lanes();
  if (!all) return result;
  std::vector<std::uint32_t> cycle;
  result.deadlock.lanes.push_back(order_or_cycle(fabric, *all, cycle));
  Witnesses found(cycle.size());
  for (unsigned level = 0; level < kLevels && !cycle.empty(); ++level) {
    if ((std::uint32_t{result.discarded} >> level & 1U) != 0) continue;
    set_level(level);
    add_witnesses(one, Walks(fabric, one, sources), cycle, found);
  }
  if (!cycle.empty()) result.deadlock.lanes.front().cycle = pairs_of(found);
  return result;
}

}  // namespace fatwood
