// SPDX-License-Identifier: BSD-3-Clause
#include "verify/transition.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/parallel.hpp"
#include "verify/deadlock/deadlock.hpp"

namespace fatwood {

namespace {

// The next hops of a switch for a destination: by its old entry or by its new one.
struct Hops {
  std::array<Port, 2> entry{};
  std::array<Hop, 2> hop{};
  unsigned count = 0;  // different entries
};

Hops hops_of(const HopMap& map, std::uint32_t s, Port before, Port after) {
  Hops hops;
  hops.entry = {before, after};
  hops.hop = {map.at(s, before), map.at(s, after)};
  hops.count = before == after ? 1 : 2;
  return hops;
}

// The dependencies of a mixture that count.
enum class Which : std::uint8_t { kAll, kOld };

unsigned lane_count(const MixedLanes& lanes) {
  return std::max(lanes.old == nullptr ? 1U : lanes.old->count,
                  lanes.now == nullptr ? 1U : lanes.now->count);
}

class Mixture {
 public:
  Mixture(const Model& model, const ForwardingTables& old, const ForwardingTables& now,
          const MixedLanes& lanes = {}, Which pairs = Which::kAll)
      : fabric_(model.fabric()),
        map_(model.hop_map()),
        old_(old),
        now_(now),
        lanes_(lanes),
        pairs_(pairs) {}

  // All dependencies that some mixture of the destination's entries has, in each lane.
  void add(Destination destination, std::span<DependencyGraph> graphs) const {
    const std::size_t switches = old_.num_switches();
    if (graphs.size() == 1) {
      for (std::uint32_t u = 0; u < switches; ++u) add_from(destination, u, graphs.front());
      return;
    }
    std::vector<std::uint8_t> seen(switches);
    for (unsigned lane = 0; lane < graphs.size(); ++lane) {
      std::ranges::fill(seen, 0);
      std::vector<std::uint32_t> reached;
      for (std::uint32_t s = 0; s < switches; ++s) {
        if (!sends_in(destination, s, lane)) continue;
        seen[s] = 1;
        reached.push_back(s);
      }
      for (std::size_t i = 0; i < reached.size(); ++i) {
        add_from(destination, reached[i], graphs[lane]);
        const Hops hops = hops_at(destination, reached[i]);
        for (unsigned j = 0; j < hops.count; ++j) {
          if (!hops.hop[j].to_switch() || seen[hops.hop[j].next()] != 0) continue;
          seen[hops.hop[j].next()] = 1;
          reached.push_back(hops.hop[j].next());
        }
      }
    }
  }

  // A loop of one destination's packets in some mixture, if there is one.
  std::optional<MixedLoop> loop_of(Destination destination) const {
    const auto before = old_.row(destination);
    const auto after = now_.row(destination);
    enum : std::uint8_t { kNew, kOpen, kDone };
    std::vector<std::uint8_t> state(before.size(), kNew);
    struct Step {
      std::uint32_t at;
      unsigned next;
    };
    for (std::uint32_t start = 0; start < before.size(); ++start) {
      if (state[start] != kNew) continue;
      std::vector<Step> path{{start, 0}};
      state[start] = kOpen;
      while (!path.empty()) {
        Step& step = path.back();
        const Hops hops = hops_of(map_, step.at, before[step.at], after[step.at]);
        if (step.next == hops.count) {
          state[step.at] = kDone;
          path.pop_back();
          continue;
        }
        const Hop hop = hops.hop[step.next++];
        if (!hop.to_switch() || state[hop.next()] == kDone) continue;
        if (state[hop.next()] == kNew) {
          state[hop.next()] = kOpen;
          path.push_back({hop.next(), 0});
          continue;
        }
        MixedLoop loop{.destination = destination, .switches = {}, .written = {}};
        const auto first =
            std::ranges::find(path, hop.next(), [](const Step& taken) { return taken.at; });
        for (auto taken = first; taken != path.end(); ++taken) {
          const Switch s{taken->at};
          loop.switches.push_back(s);
          if (before[taken->at] != after[taken->at] && taken->next == 2) loop.written.push_back(s);
        }
        return loop;
      }
    }
    return std::nullopt;
  }

 private:
  Hops hops_at(Destination destination, std::uint32_t s) const {
    return hops_of(map_, s, old_.row(destination)[s], now_.row(destination)[s]);
  }
  bool sends_in(Destination destination, std::uint32_t s, unsigned lane) const {
    const auto is = [&](const Lanes* lanes) {
      return (lanes == nullptr ? 0U : lanes->at(destination, Switch{s})) == lane;
    };
    return is(lanes_.old) || is(lanes_.now);
  }
  // Of packets that leave u.
  void add_from(Destination destination, std::uint32_t u, DependencyGraph& graph) const {
    const Hops from = hops_at(destination, u);
    for (unsigned i = 0; i < (pairs_ == Which::kOld ? 1U : from.count); ++i) {
      if (!from.hop[i].to_switch()) continue;
      const std::uint32_t s = from.hop[i].next();
      const Channel in = fabric_.channel(fabric_.node(Switch{s}), from.hop[i].arrival());
      const Hops on = hops_at(destination, s);
      for (unsigned j = 0; j < (pairs_ == Which::kOld ? 1U : on.count); ++j) {
        if (on.hop[j].to_switch()) graph.add(graph.vertex(in), index(on.entry[j]));
      }
    }
  }

  const Fabric& fabric_;
  const HopMap& map_;
  const ForwardingTables& old_;
  const ForwardingTables& now_;
  MixedLanes lanes_;
  Which pairs_;
};

// The direction of an entry by levels: 1 up, -1 down, 0 neither (no route, an end, within a level).
class Directions {
 public:
  explicit Directions(const Model& model) : map_(model.hop_map()), level_(model.levels().level) {}

  int of(std::uint32_t s, Port entry) const {
    const Hop hop = map_.at(s, entry);
    if (!hop.to_switch()) return 0;
    const Level here = level_[Switch{s}];
    const Level there = level_[Switch{hop.next()}];
    return there > here ? 1 : there < here ? -1 : 0;
  }

  // No switch is entered down (or within a level) and left up (or within a level).
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

 private:
  const HopMap& map_;
  const Table<Switch, Level>& level_;
};

std::vector<TableEntry> changed_entries(const ForwardingTables& old, const ForwardingTables& now) {
  std::vector<TableEntry> entries;
  for (const Destination destination : ids<Destination>(old.num_destinations())) {
    const auto before = old.row(destination);
    const auto after = now.row(destination);
    if (std::ranges::equal(bytes_of(before), bytes_of(after))) continue;
    for (std::uint32_t s = 0; s < before.size(); ++s) {
      if (before[s] != after[s]) entries.push_back({destination, Switch{s}});
    }
  }
  return entries;
}

// Two rounds, where old and new both keep to the same levels.
std::vector<Round> two_rounds(const Model& model, const ForwardingTables& old,
                              const ForwardingTables& now, std::span<const TableEntry> entries) {
  if (!model.levels().is_tree()) return {};
  const Directions directions(model);
  for (const Destination destination : ids<Destination>(old.num_destinations())) {
    if (!directions.legal(old.row(destination)) || !directions.legal(now.row(destination)))
      return {};
  }
  Round first, second;
  for (const TableEntry& entry : entries) {
    const bool up_before = directions.of(index(entry.at), old.at(entry.destination, entry.at)) > 0;
    const bool up_now = directions.of(index(entry.at), now.at(entry.destination, entry.at)) > 0;
    if (up_now && !up_before) {
      first.clear.push_back(entry);
      second.write.push_back(entry);
    } else {
      first.write.push_back(entry);
      first.wait_between_levels = first.wait_between_levels || (up_before && !up_now);
    }
  }
  first.drain_after = !second.write.empty();
  for (const Switch s : ids<Switch>(model.fabric().num_switches())) first.order.push_back(s);
  std::ranges::stable_sort(first.order, {}, [&](Switch s) { return model.levels().level[s]; });
  if (!first.wait_between_levels) first.order.clear();
  std::vector<Round> rounds{std::move(first)};
  if (!second.write.empty()) rounds.push_back(std::move(second));
  return rounds;
}

// All dependencies of all mixtures, in each lane.
std::vector<DependencyGraph> mixed_graphs(const Mixture& mixture, const Model& model,
                                          std::size_t destinations, unsigned lanes, int threads) {
  std::vector<std::vector<DependencyGraph>> parts(
      static_cast<std::size_t>(thread_count(threads)),
      std::vector<DependencyGraph>(lanes, DependencyGraph(model.fabric())));
  parallel_for(
      destinations, threads,
      [&](std::size_t i, int thread) {
        mixture.add(static_cast<Destination>(i), parts[static_cast<std::size_t>(thread)]);
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

// Old and new tables, with the lanes that packets of either may have.
struct Sides {
  const Model& model;
  const ForwardingTables& old;
  const ForwardingTables& now;
  MixedLanes lanes;
  int threads;

  std::vector<DependencyGraph> graphs(const Mixture& mixture) const {
    return mixed_graphs(mixture, model, old.num_destinations(), lane_count(lanes), threads);
  }
  // Old hops after old ones, wherever packets may have come from; and new tables alone.
  bool old_is_free() const {
    return are_free(graphs(Mixture(model, old, now, lanes, Which::kOld)));
  }
  bool now_is_free() const { return are_free(graphs(Mixture(model, now, now, lanes))); }
};

// Hosts need not wait for fallback routes: up*/down* entries are written in round 1, if its
// mixtures have no cycle while the others are old.
void move_legal(const Sides& sides, Round& first) {
  if (!sides.model.levels().is_tree()) return;
  const KeptTables kept(sides.model, sides.now, sides.threads);
  ForwardingTables written = sides.now;
  std::vector<TableEntry> legal, fallback;
  for (const TableEntry& entry : first.clear) {
    const bool waits = kept.is_fallback(entry.destination, index(entry.at));
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

// Two rounds, where old and new are each free of cycles: entries that lead to a channel of a cycle
// wait. `cyclic`: the channels of the mixture that may be in one, in any lane.
std::vector<Round> rounds_that_hold(const Sides& sides, const Table<Channel, char>& cyclic,
                                    std::span<const TableEntry> entries) {
  if (!sides.old_is_free() || !sides.now_is_free()) return {};
  const Fabric& fabric = sides.model.fabric();
  const auto may_close_cycle = [&](const TableEntry& entry) {
    const Port port = sides.now.at(entry.destination, entry.at);
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

}  // namespace

Transition find_transition(const Model& model, const ForwardingTables& old,
                           const ForwardingTables& now, int threads, const MixedLanes& lanes) {
  const Sides sides{model, old, now, lanes, threads};
  const Mixture mixture(model, old, now, lanes);
  const std::vector<DependencyGraph> graphs = sides.graphs(mixture);
  Transition result;
  std::vector<TableEntry> entries = changed_entries(old, now);
  result.entries = entries.size();
  Table<Channel, char> cyclic(model.fabric().num_channels(), 0);
  bool free = true;
  for (unsigned lane = 0; lane < graphs.size(); ++lane) {
    const DependencyGraph& graph = graphs[lane];
    result.dependencies += graph.edges();
    const std::vector<std::uint32_t> order = topological_order(graph);
    std::vector<Channel> channels;
    std::vector<char> in_none(graph.size());
    for (const std::uint32_t vertex : order) {
      channels.push_back(graph.channel(vertex));
      in_none[vertex] = 1;
    }
    result.orders.push_back(std::move(channels));
    if (order.size() == graph.size()) continue;
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
  for (const Destination destination : ids<Destination>(old.num_destinations())) {
    if (auto loop = mixture.loop_of(destination)) {
      result.loop.push_back(*std::move(loop));
      break;
    }
  }
  result.rounds = two_rounds(model, old, now, entries);
  if (result.rounds.empty()) result.rounds = rounds_that_hold(sides, cyclic, entries);
  result.safety = result.rounds.empty() ? Safety::kNone : Safety::kRounds;
  return result;
}

}  // namespace fatwood
