// SPDX-License-Identifier: BSD-3-Clause
#include "verify/transition.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/parallel.hpp"
#include "routing/repair/known_tables.hpp"
#include "routing/tables/row_differences.hpp"
#include "verify/deadlock/deadlock.hpp"
#include "verify/mixture.hpp"

namespace fatwood {

namespace {

unsigned lane_count(const MixedLanes& lanes) {
  return std::max(lanes.old == nullptr ? 1U : lanes.old->count,
                  lanes.after == nullptr ? 1U : lanes.after->count);
}

// The direction of an entry by levels: 1 up, -1 down, 0 neither (no route, an end, within a level).
class Directions {
 public:
  explicit Directions(const Model& model)
      : fabric_(model.fabric()), map_(model.hop_map()), level_(model.levels().level) {}

  int of(std::uint32_t s, Port entry) const {
    const Hop hop = map_.at(s, entry);
    if (!hop.to_switch()) return 0;
    const Level here = level_[Switch{s}];
    const Level there = level_[Switch{hop.next()}];
    return there > here ? 1 : there < here ? -1 : 0;
  }

  // Whether no hop is within a level, and no switch is entered down and left up.
  bool legal(std::span<const Port> row) const {
    for (std::uint32_t u = 0; u < row.size(); ++u) {
      const Hop hop = map_.at(u, row[u]);
      if (!hop.to_switch()) continue;
      if (of(u, row[u]) == 0) return false;
      const Hop next = map_.at(hop.next(), row[hop.next()]);
      if (of(u, row[u]) < 0 && next.to_switch() && of(hop.next(), row[hop.next()]) > 0) {
        return false;
      }
    }
    return true;
  }
  // The same for all rows that have these dependencies. REQUIRES !has_flat_cable().
  bool legal(const DependencyGraph& graph) const {
    const auto of_vertex = [&](std::uint32_t vertex) {
      const Channel c = graph.channel(vertex);
      return of(index(fabric_.as_switch(fabric_.owner(c))), fabric_.port(c));
    };
    bool legal = true;
    for (std::uint32_t vertex = 0; vertex < graph.size(); ++vertex) {
      if (of_vertex(vertex) >= 0) continue;
      graph.for_each_successor(vertex,
                               [&](std::uint32_t next) { legal = legal && of_vertex(next) <= 0; });
    }
    return legal;
  }
  // Whether a cable connects switches of one level.
  bool has_flat_cable() const {
    return std::ranges::any_of(ids<Switch>(fabric_.num_switches()), [&](Switch s) {
      return std::ranges::any_of(ids<Port>(fabric_.ports(fabric_.node(s)) + 1), [&](Port port) {
        return map_.at(s, port).to_switch() && of(index(s), port) == 0;
      });
    });
  }

 private:
  const Fabric& fabric_;
  const HopMap& map_;
  const Table<Switch, Level>& level_;
};

std::vector<TableEntry> changed_entries(const ForwardingTables& old, const ForwardingTables& after,
                                        std::span<const Destination> rows) {
  std::vector<TableEntry> entries;
  for (const Destination destination : rows) {
    for_each_difference(old.row(destination), after.row(destination),
                        [&](std::uint32_t s) { entries.push_back({destination, Switch{s}}); });
  }
  return entries;
}

// The dependencies of rows that do not change, in each lane: the same in every mixture.
std::vector<DependencyGraph> standing_graphs(const Mixture& mixture, const Model& model,
                                             std::size_t destinations, unsigned lanes,
                                             int threads) {
  std::vector<std::vector<DependencyGraph>> parts = parallel_with(
      std::vector<DependencyGraph>(lanes, DependencyGraph(model.fabric())), destinations, threads,
      [&](std::size_t i, std::vector<DependencyGraph>& graphs) {
        const auto destination = static_cast<Destination>(i);
        if (!mixture.changes(destination)) mixture.add(destination, graphs);
      },
      16);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    for (unsigned lane = 0; lane < lanes; ++lane) parts.front()[lane].merge(parts[i][lane]);
  }
  return std::move(parts.front());
}

bool are_free(std::span<const DependencyGraph> graphs) {
  return std::ranges::all_of(graphs, [](const DependencyGraph& graph) {
    return topological_order(graph).size() == graph.size();
  });
}

// The dependencies of tables on one lane.
DependencyGraph graph_of_tables(const Model& model, const ForwardingTables& tables, int threads) {
  return graph_of(model.fabric(), DependencyCounts({model, tables}, threads));
}

// Old and new tables, with the lanes that packets of either may have.
struct Sides {
  const Model& model;
  const ForwardingTables& old;
  const ForwardingTables& after;
  MixedLanes lanes;
  int threads;
  MixedGraphs known;
  std::vector<Destination> changed = {};
  // The dependencies of unchanged rows; on one lane, those of all old entries.
  std::vector<DependencyGraph> standing = {};

  bool one_lane() const { return lane_count(lanes) == 1; }
  // Divides the rows, in one pass.
  void divide() {
    changed = changed_rows(old, after);
    if (one_lane()) {
      standing.push_back(known.old != nullptr ? *known.old : graph_of_tables(model, old, threads));
    } else {
      standing = standing_graphs(Mixture(model, old, after, lanes), model, old.num_destinations(),
                                 lane_count(lanes), threads);
    }
  }
  // All dependencies of a mixture that differs in the changed rows alone, in each lane.
  std::vector<DependencyGraph> graphs(const Mixture& mixture) const {
    std::vector<DependencyGraph> all = standing;
    for (const Destination destination : changed) {
      if (one_lane()) {
        mixture.add_changes(destination, all.front());
      } else {
        mixture.add(destination, all);
      }
    }
    return all;
  }
  // Whether the old tables, in any lane that packets may have, and the new tables alone have no
  // cycle.
  bool old_is_free() const {
    if (one_lane()) return are_free(standing);
    return are_free(graphs(Mixture(model, old, after, lanes, Which::kOld)));
  }
  bool now_is_free() const {
    if (!one_lane()) return are_free(graphs(Mixture(model, after, after, lanes)));
    if (known.after != nullptr) return are_free(std::span(known.after, 1));
    const DependencyGraph graph = graph_of_tables(model, after, threads);
    return are_free(std::span(&graph, 1));
  }
};

// Whether old and new routes are all up*/down*.
bool are_legal(const Sides& sides) {
  if (!sides.model.levels().is_tree()) return false;
  const Directions directions(sides.model);
  const auto in_both = [&](Destination destination) {
    return directions.legal(sides.old.row(destination)) &&
           directions.legal(sides.after.row(destination));
  };
  if (directions.has_flat_cable()) {
    return std::ranges::all_of(ids<Destination>(sides.old.num_destinations()), in_both);
  }
  return std::ranges::all_of(sides.standing,
                             [&](const auto& graph) { return directions.legal(graph); }) &&
         std::ranges::all_of(sides.changed, in_both);
}

// Two rounds, if old and new tables are both up*/down* on the same levels.
std::vector<Round> two_rounds(const Sides& sides, std::span<const TableEntry> entries) {
  if (!are_legal(sides)) return {};
  const Model& model = sides.model;
  const Directions directions(model);
  Round first, second;
  for (const TableEntry& entry : entries) {
    const bool up_before =
        directions.of(index(entry.at), sides.old.at(entry.destination, entry.at)) > 0;
    const bool up_now =
        directions.of(index(entry.at), sides.after.at(entry.destination, entry.at)) > 0;
    if (up_now && !up_before) {
      first.clear.push_back(entry);
      second.write.push_back(entry);
    } else {
      first.write.push_back(entry);
      first.wait_between_levels = first.wait_between_levels || (up_before && !up_now);
    }
  }
  first.drain_after = !second.write.empty();
  if (first.wait_between_levels) first.order = by_level(model.levels());
  std::vector<Round> rounds{std::move(first)};
  if (!second.write.empty()) rounds.push_back(std::move(second));
  return rounds;
}

// Hosts need not wait for fallback routes: up*/down* entries are written in round 1, if its
// mixtures have no cycle while the others are old.
void move_legal(const Sides& sides, Round& first) {
  if (!sides.model.levels().is_tree()) return;
  const std::vector<Switch> ascending = by_level(sides.model.levels());
  Destination looked_at = kNone<Destination>;
  RowLook look;
  ForwardingTables written = sides.after;
  std::vector<TableEntry> legal, fallback;
  for (const TableEntry& entry : first.clear) {  // by destination
    if (std::exchange(looked_at, entry.destination) != entry.destination) {
      look = look_at_row(sides.model, sides.after, entry.destination, ascending);
    }
    const bool waits = look.is_fallback(index(entry.at));
    (waits ? fallback : legal).push_back(entry);
    if (waits)
      written.row(entry.destination)[index(entry.at)] = sides.old.at(entry.destination, entry.at);
  }
  const Mixture mixture(sides.model, sides.old, written, sides.lanes);
  if (legal.empty() || !are_free(sides.graphs(mixture))) return;
  first.write.insert(first.write.end(), legal.begin(), legal.end());
  std::ranges::sort(first.write, {}, [](const TableEntry& entry) {
    return std::pair(index(entry.destination), index(entry.at));
  });
  first.clear = std::move(fallback);
}

// Two rounds, if old and new tables are each free of cycles: entries that lead to a channel of a
// cycle wait. `cyclic`: channels of the mixture that may be in a cycle, in any lane.
std::vector<Round> rounds_that_hold(const Sides& sides, const Table<Channel, char>& cyclic,
                                    std::span<const TableEntry> entries) {
  if (!sides.old_is_free() || !sides.now_is_free()) return {};
  const Fabric& fabric = sides.model.fabric();
  const auto may_close_cycle = [&](const TableEntry& entry) {
    const Port port = sides.after.at(entry.destination, entry.at);
    return sides.model.hop_map().at(entry.at, port).to_switch() &&
           cyclic[fabric.channel(fabric.node(entry.at), port)] != 0;
  };
  Round first{.drain_after = true};
  for (const TableEntry& entry : entries) {
    (may_close_cycle(entry) ? first.clear : first.write).push_back(entry);
  }
  move_legal(sides, first);
  Round second{.write = first.clear};
  return {std::move(first), std::move(second)};
}

// In order of destinations. Rows that stay and have no cycle of dependencies have no loop either.
std::vector<MixedLoop> first_loop(const Sides& sides, const Mixture& mixture) {
  const auto first_of = [&](const auto& destinations) -> std::vector<MixedLoop> {
    for (const Destination destination : destinations) {
      if (auto loop = mixture.loop_of(destination)) return {*std::move(loop)};
    }
    return {};
  };
  if (are_free(sides.standing)) return first_of(sides.changed);
  return first_of(ids<Destination>(sides.old.num_destinations()));
}

}  // namespace

Transition find_transition(const Model& model, const ForwardingTables& old,
                           const ForwardingTables& after, int threads, const MixedLanes& lanes,
                           const MixedGraphs& known) {
  Sides sides{model, old, after, lanes, threads, known};
  sides.divide();
  const Mixture mixture(model, old, after, lanes);
  const std::vector<DependencyGraph> graphs = sides.graphs(mixture);
  Transition result;
  std::vector<TableEntry> entries = changed_entries(old, after, sides.changed);
  result.entries = entries.size();
  Table<Channel, char> cyclic(model.fabric().num_channels(), 0);
  bool free = true;
  for (unsigned lane = 0; lane < graphs.size(); ++lane) {
    const DependencyGraph& graph = graphs[lane];
    result.dependencies += graph.edges();
    const std::vector<std::uint32_t> order = topological_order(graph);
    if (order.size() == graph.size()) {
      result.orders.push_back(order_of_channels(model.fabric(), graph, order));
      continue;
    }
    std::vector<char> in_none(graph.size());
    for (const std::uint32_t vertex : order) in_none[vertex] = 1;
    for (std::uint32_t vertex = 0; vertex < graph.size(); ++vertex) {
      if (in_none[vertex] == 0) cyclic[graph.channel(vertex)] = 1;
    }
    if (!std::exchange(free, false)) continue;
    result.cycle_lane = lane;
    for (const std::uint32_t vertex : shortest_cycle(graph)) {
      result.cycle.push_back(graph.channel(vertex));
    }
  }
  if (free) {
    if (!entries.empty()) result.rounds.push_back({.write = std::move(entries)});
    return result;
  }
  result.orders.clear();
  result.loop = first_loop(sides, mixture);
  result.rounds = two_rounds(sides, entries);
  if (result.rounds.empty()) result.rounds = rounds_that_hold(sides, cyclic, entries);
  result.safety = result.rounds.empty() ? Safety::kNone : Safety::kRounds;
  return result;
}

}  // namespace fatwood
