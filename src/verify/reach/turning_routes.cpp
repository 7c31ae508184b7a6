// SPDX-License-Identifier: BSD-3-Clause
#include "verify/reach/turning_routes.hpp"

#include <algorithm>
#include <functional>
#include <ranges>
#include <variant>
#include <vector>

#include "core/parallel.hpp"
#include "routing/tables/destination_tree.hpp"
#include "topology/graph/port_graph.hpp"
#include "verify/reach/like_last.hpp"

namespace fatwood {

namespace {

// What the turns of a route depend on.
struct TurnMark {
  std::uint32_t hops;
  Level level;
  std::uint8_t rest;  // Rest
  bool operator==(const TurnMark&) const = default;
};

struct TurnWorker {
  DestinationTree tree;
  LikeLastDestination<TurnMark, std::monostate> last;  // a destination without turns
  std::vector<std::uint8_t> rest;                      // Rest, of each switch
  UpDown found;
};

// Adds the pairs of one destination.
void find_turns_to(const Routing& routing, Destination destination, const Levels& levels,
                   const Table<Switch, std::uint32_t>& on, TurnWorker& worker) {
  auto& [tree, last, rest, found] = worker;
  const auto step = [](const TurnMark& mark, const TurnMark& next) {
    return TurnMark{next.hops + 1, mark.level, rest_of(mark.level, next.level, next.rest)};
  };
  if (last.proves(destination, step)) return;
  last.forget();
  tree.follow(routing.tables, destination);
  bool any = false;
  for (const std::uint32_t s : tree.reached()) {
    if (tree.hops(s) == 0) {
      rest[s] = 0;
      continue;
    }
    const std::uint32_t next = tree.hop(s).next();
    const auto from = static_cast<Switch>(s);
    rest[s] = rest_of(levels, s, next, rest[next]);
    if ((rest[s] & (kRestTurn | kRestHorizontal)) == 0) continue;
    any = true;
    found.add(rest[s], destination, from,
              pairs_from(on[from], routing.tables, destination, Place::kElsewhere));
  }
  if (any || tree.reached().size() != rest.size()) return;
  last.remember(destination, {}, [&](std::uint32_t s) {
    return TurnMark{tree.hops(s), levels.level[static_cast<Switch>(s)], rest[s]};
  });
}

// Finds the switches that have a path up and then down to `home`.
class LegalSources {
 public:
  LegalSources(const Fabric& fabric, const Levels& levels)
      : graph_(port_graph(fabric)), levels_(levels), ascending_(by_level(levels)) {}

  std::vector<std::uint8_t> to(Switch home) const {
    std::vector<std::uint8_t> legal(graph_.size(), 0);
    legal[index(home)] = 1;
    // Switches above with a path that only goes down, lowest first.
    for (const Switch s : ascending_) {
      if (reaches(s, std::less{}, legal)) legal[index(s)] = 1;
    }
    for (const Switch s : ascending_ | std::views::reverse) {
      if (reaches(s, std::greater{}, legal)) legal[index(s)] = 1;
    }
    return legal;
  }

 private:
  // Whether s has a legal neighbour whose level compares in this way with its own.
  template <class Compare>
  bool reaches(Switch s, Compare compare, const std::vector<std::uint8_t>& legal) const {
    return std::ranges::any_of(graph_.neighbours(s), [&](Switch to) {
      return legal[index(to)] != 0 && compare(levels_.level[to], levels_.level[s]);
    });
  }

  PortGraph graph_;
  const Levels& levels_;
  std::vector<Switch> ascending_;
};

}  // namespace

UpDown find_turns(const Fabric& fabric, const Routing& routing, const Levels& levels, int threads) {
  if (fabric.num_switches() == 0) return {};
  const HopMap map(fabric);
  const CommonHops common(map, fabric.num_switches());
  const Table<Switch, std::uint32_t> on = terminals_on(fabric);
  const std::vector<TurnWorker> workers = parallel_with(
      TurnWorker{DestinationTree(fabric, map),
                 {fabric, routing.tables, map, common},
                 std::vector<std::uint8_t>(fabric.num_switches()),
                 {}},
      routing.tables.num_destinations(), threads,
      [&](std::size_t item, TurnWorker& worker) {
        find_turns_to(routing, static_cast<Destination>(item), levels, on, worker);
      },
      kDestinationsAtOnce);
  UpDown all;
  for (const TurnWorker& worker : workers) all += worker.found;
  return all;
}

PairCounts find_legal_but_lost(const Fabric& fabric, const Routing& routing, const Levels& levels,
                               int threads) {
  const HopMap map(fabric);
  const LegalSources sources(fabric, levels);
  const Table<Switch, std::uint32_t> on = terminals_on(fabric);
  const ForwardingTables& tables = routing.tables;
  Table<Switch, std::vector<Destination>> at(fabric.num_switches());
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    const Switch home = switch_of(fabric, endpoint(tables, destination));
    if (home != kNone<Switch>) at[home].push_back(destination);
  }
  std::vector<PairCounts> lost(fabric.num_switches());
  const auto find_lost = [&](std::size_t item, DestinationTree& tree) {
    const auto home = static_cast<Switch>(item);
    std::vector<std::uint8_t> legal;
    for (const Destination destination : at[home]) {
      tree.follow(tables, destination);
      if (tree.reached().size() == fabric.num_switches()) continue;
      if (legal.empty()) legal = sources.to(home);
      for (std::uint32_t s = 0; s < legal.size(); ++s) {
        if (legal[s] == 0 || tree.reaches(s)) continue;
        lost[item] += pairs_from(on[static_cast<Switch>(s)], tables, destination,
                                 static_cast<Switch>(s) == home ? Place::kHome : Place::kElsewhere);
      }
    }
  };
  parallel_with(DestinationTree(fabric, map), fabric.num_switches(), threads, find_lost);
  PairCounts all;
  for (const PairCounts& one : lost) all += one;
  return all;
}

}  // namespace fatwood
