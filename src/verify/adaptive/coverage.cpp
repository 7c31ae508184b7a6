// SPDX-License-Identifier: BSD-3-Clause
#include "verify/adaptive/coverage.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "core/parallel.hpp"
#include "routing/adaptive/choice_walk.hpp"

namespace fatwood {

namespace {

// Data of the switches that arrive, for the current destination.
struct Dominated {
  std::uint32_t dominator =
      kNone<std::uint32_t>;          // where all its ways meet next; none for the destination's own
  std::uint32_t depth = 0;           // dominators up to the destination's switch
  Channel lone = kNone<Channel>;     // the nearest cable that all its ways take
  Channel exposed = kNone<Channel>;  // a cable of an entry with one port, on some way
};

struct CoverageWorker {
  ChoiceWalk walk;
  std::vector<Dominated> place;
  std::map<std::pair<Level, HopDirection>, Coverage::Row> rows = {};
  Coverage found = {};
  // The first exposed pair: not exposed with notification, destination, source; and its cable.
  std::tuple<bool, Destination, Switch, Channel> first = {true, kNone<Destination>, kNone<Switch>,
                                                          kNone<Channel>};
};

std::uint32_t meet(const std::vector<Dominated>& place, std::uint32_t a, std::uint32_t b) {
  while (a != b) {
    if (place[a].depth < place[b].depth) std::swap(a, b);
    a = place[a].dominator;
  }
  return a;
}

HopDirection direction_of(const Levels* levels, std::uint32_t from, std::uint32_t to) {
  if (levels == nullptr) return HopDirection::kAcross;
  const Level here = levels->level[static_cast<Switch>(from)];
  const Level there = levels->level[static_cast<Switch>(to)];
  return there > here   ? HopDirection::kUp
         : there < here ? HopDirection::kDown
                        : HopDirection::kAcross;
}

Dominated place_of(const Fabric& fabric, const CoverageWorker& worker, std::uint32_t s) {
  Dominated mine;
  const std::span<const Port> ports = worker.walk.ports(s);
  for (const Port port : ports) {
    if (worker.walk.delivers(s, port)) continue;
    const std::uint32_t next = worker.walk.hop(s, port).next();
    mine.dominator =
        mine.dominator == kNone<std::uint32_t> ? next : meet(worker.place, mine.dominator, next);
    if (mine.exposed == kNone<Channel>) mine.exposed = worker.place[next].exposed;
  }
  if (mine.dominator == kNone<std::uint32_t>) return mine;
  mine.depth = worker.place[mine.dominator].depth + 1;
  mine.lone = worker.place[mine.dominator].lone;
  if (ports.size() == 1) {
    mine.lone = fabric.channel(fabric.node(static_cast<Switch>(s)), ports.front());
    mine.exposed = mine.lone;
  }
  return mine;
}

void evaluate(const Fabric& fabric, const Levels* levels, const Table<Switch, std::uint32_t>& on,
              std::uint64_t terminals, CoverageWorker& worker, Destination destination) {
  worker.walk.follow(destination);
  for (const std::uint32_t s : worker.walk.order()) {
    worker.place[s] = place_of(fabric, worker, s);
    if (worker.place[s].dominator == kNone<std::uint32_t>) continue;
    const std::span<const Port> ports = worker.walk.ports(s);
    const Hop first = worker.walk.hop(s, ports.front());
    const Level level = levels == nullptr ? Level{0} : levels->level[static_cast<Switch>(s)];
    Coverage::Row& row = worker.rows[{level, direction_of(levels, s, first.next())}];
    row.entries += terminals;
    if (ports.size() == 1) row.alone += terminals;
    const std::uint64_t pairs = terminals * on[static_cast<Switch>(s)];
    worker.found.pairs += pairs;
    const Dominated& mine = worker.place[s];
    if (mine.exposed == kNone<Channel> || pairs == 0) continue;
    worker.found.exposed += pairs;
    const bool notified = mine.lone != kNone<Channel>;
    if (notified) worker.found.exposed_notified += pairs;
    worker.first = std::min(worker.first, {!notified, destination, static_cast<Switch>(s),
                                           notified ? mine.lone : mine.exposed});
  }
}

}  // namespace

Coverage find_coverage(const Model& model, const Routing& routing,
                       const DestinationClasses& classes, int threads) {
  const Fabric& fabric = model.fabric();
  const Levels* levels = model.levels().is_tree() ? &model.levels() : nullptr;
  const Table<Switch, std::uint32_t> on = terminals_on(fabric);
  std::vector<CoverageWorker> workers = parallel_with(
      CoverageWorker{.walk = ChoiceWalk(fabric, model.hop_map(), routing),
                     .place = std::vector<Dominated>(fabric.num_switches())},
      classes.size(), threads,
      [&](std::size_t c, CoverageWorker& worker) {
        const std::span<const Destination> destinations = classes.of(c);
        const auto terminals = static_cast<std::uint64_t>(std::ranges::count_if(
            destinations,
            [&](Destination destination) { return !routing.tables.is_switch(destination); }));
        if (terminals == 0) return;
        evaluate(fabric, levels, on, terminals, worker, destinations.front());
      },
      4);
  CoverageWorker& all = workers.front();
  for (std::size_t w = 1; w < workers.size(); ++w) {
    const CoverageWorker& one = workers[w];
    for (const auto& [key, row] : one.rows) {
      all.rows[key].entries += row.entries;
      all.rows[key].alone += row.alone;
    }
    all.found.pairs += one.found.pairs;
    all.found.exposed += one.found.exposed;
    all.found.exposed_notified += one.found.exposed_notified;
    all.first = std::min(all.first, one.first);
  }
  Coverage found = all.found;
  std::tie(std::ignore, found.first_destination, found.first_source, found.first_cable) = all.first;
  for (const auto& [key, row] : all.rows) {
    found.rows.push_back({key.first, key.second, row.entries, row.alone});
  }
  std::ranges::stable_sort(found.rows, std::greater{}, &Coverage::Row::level);
  return found;
}

}  // namespace fatwood
