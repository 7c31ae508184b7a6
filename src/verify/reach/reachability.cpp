// SPDX-License-Identifier: BSD-3-Clause
#include "verify/reach/reachability.hpp"

#include <algorithm>
#include <utility>

#include "core/parallel.hpp"
#include "routing/tables/destination_tree.hpp"
#include "topology/graph/port_graph.hpp"
#include "verify/reach/like_last.hpp"
#include "verify/reach/unknown_pairs.hpp"

namespace fatwood {

PairCounts joined_pairs(const Fabric& fabric, unsigned lmc) {
  const Components components = connected_components(port_graph(fabric));
  std::vector<std::uint64_t> terminals(components.count);
  std::vector<std::uint64_t> switches(components.count);
  PairCounts joined;
  for (const Switch s : ids<Switch>(fabric.num_switches())) ++switches[components.component[s]];
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const Switch leaf = fabric.leaf(t);
    if (leaf == kNone<Switch>) {
      joined.terminal_terminal += std::uint64_t{1} << lmc;
    } else {
      ++terminals[components.component[leaf]];
    }
  }
  for (std::size_t p = 0; p < components.count; ++p) {
    joined += all_pairs(terminals[p], switches[p], lmc);
  }
  return joined;
}

namespace {

// Switches in the upper half, terminals in the lower, so that sources at the same distance from a
// destination are added up as one number.
using SourceSum = std::uint64_t;
constexpr SourceSum kOneSwitch = SourceSum{1} << 32;

// Pairs of sources that are this many hops from a destination.
PairCounts pairs_of(SourceSum sources, std::size_t hops, bool to_switch) {
  // The destination is among the sources of its own switch, but does not send to itself.
  const std::uint64_t self = hops == 0 ? 1 : 0;
  const std::uint64_t switches = sources / kOneSwitch;
  const std::uint64_t terminals = sources % kOneSwitch;
  if (to_switch) return {0, terminals, 0, switches - self};
  return {terminals - self, 0, switches, 0};
}

void tally_faults(const Routing& routing, Destination destination, const DestinationTree& tree,
                  ReachTally& tally) {
  for (std::uint32_t s = 0; s < routing.tables.num_switches(); ++s) {
    const Hop hop = tree.hop(s);
    if (hop.to_switch() || tree.reaches(s)) continue;
    if (routing.unknown.at(destination, static_cast<Switch>(s))) continue;
    tally.faults[static_cast<std::size_t>(hop.end())] += {1, static_cast<Switch>(s), destination};
  }
}

ForwardingLoop loop_of(const DestinationTree& tree, Destination destination) {
  ForwardingLoop loop{destination, {}};
  const std::uint32_t start = tree.loops().front();
  std::uint32_t at = start;
  do {
    loop.switches.push_back(static_cast<Switch>(at));
    at = tree.hop(at).next();
  } while (at != start);
  return loop;
}

// Of a destination.
struct RowResult {
  PairCounts reached;
  HopCounts hops;
  Minimality lengths;
};

struct ReachJob {
  const Fabric& fabric;
  const Routing& routing;
  const UnknownPairs& unknown;
  std::vector<SourceSum> sources;           // by switch
  const std::vector<std::uint16_t>& least;  // hop_counts(); empty: lengths are not asked for
};

struct ReachWorker {
  DestinationTree tree;
  LikeLastDestination<std::uint32_t, RowResult> last;  // marks: hops
  ReachTally tally;
  Minimality lengths;
};

// Counts the pairs of the tree's destination that have a route. Most neighbours among the switches
// are equally far from it, so that their sources are added up first.
RowResult count_routes(const ReachJob& job, const DestinationTree& tree, bool to_switch) {
  RowResult result;
  const std::size_t switches = job.sources.size();
  const std::uint16_t* const least = job.least.empty() || tree.destination() == kNone<Switch>
                                         ? nullptr
                                         : job.least.data() + index(tree.destination()) * switches;
  for (std::uint32_t s = 0; s < switches;) {
    const std::uint32_t hops = tree.hops(s);
    const std::uint32_t fewest = least == nullptr ? 0 : least[s];
    SourceSum sources = 0;
    do {
      sources += job.sources[s++];
    } while (s < switches && tree.hops(s) == hops && (least == nullptr || least[s] == fewest));
    if (hops >= DestinationTree::kFurthest) continue;  // not reached
    const PairCounts pairs = pairs_of(sources, hops, to_switch);
    result.reached += pairs;
    result.hops.add(hops, pairs);
    if (least != nullptr) result.lengths.add(hops, fewest, pairs);
  }
  return result;
}

void check_row(const ReachJob& job, Destination destination, ReachWorker& worker) {
  const Fabric& fabric = job.fabric;
  const ForwardingTables& tables = job.routing.tables;
  DestinationTree& tree = worker.tree;
  ReachTally& tally = worker.tally;
  if (worker.last.proves(destination, [](auto, std::uint32_t next) { return next + 1; })) {
    tally.hops += worker.last.result().hops;
    worker.lengths += worker.last.result().lengths;
    return;
  }
  worker.last.forget();
  tree.follow(tables, destination);
  const bool to_switch = tables.is_switch(destination);
  RowResult result = count_routes(job, tree, to_switch);
  PairCounts reached = result.reached;
  tally.hops += result.hops;
  worker.lengths += result.lengths;
  // A terminal that is cabled to another adapter is reached from there.
  const bool alone = !to_switch && fabric.leaf(tables.terminal(destination)) == kNone<Switch>;
  if (alone) reached.terminal_terminal = 1;
  const PairCounts all =
      to_switch ? PairCounts{0, fabric.num_terminals(), 0, one_less(fabric.num_switches())}
                : PairCounts{one_less(fabric.num_terminals()), 0, fabric.num_switches(), 0};
  const PairCounts lost = all - reached;
  if (lost.total() == 0) {
    if (alone) return;
    worker.last.remember(destination, std::move(result),
                         [&](std::uint32_t s) { return tree.hops(s); });
    return;
  }
  const PairCounts not_known = job.unknown.count(tree, destination);
  tally.unknown += not_known;
  tally.add_lost(lost - not_known, destination);
  tally_faults(job.routing, destination, tree, tally);
  tally.add_loops(tree.loops().size(), destination);
}

// Merges the results of all threads, with the first loop and the first pair without a route. `tree`
// is scratch.
ReachAndLengths put_together(const ReachJob& job, const std::vector<ReachWorker>& workers,
                             DestinationTree& tree) {
  const Fabric& fabric = job.fabric;
  const ForwardingTables& tables = job.routing.tables;
  ReachTally all;
  Minimality lengths;
  for (const ReachWorker& worker : workers) {
    all += worker.tally;
    lengths += worker.lengths;
  }
  Reachability result{
      .pairs = all_pairs(fabric.num_terminals(), fabric.num_switches(), tables.lmc()),
      .unreachable = all.unreachable,
      .unknown = all.unknown,
      .hops = std::move(all.hops),
      .loops = all.loops,
      .faults = all.faults};
  if (all.loops > 0) {
    tree.follow(tables, all.first_loop);
    result.first_loop = loop_of(tree, all.first_loop);
  }
  for (std::size_t k = 0; k < kPairKinds.size() && !result.first_lost; ++k) {
    if (all.unreachable.*kPairKinds[k] == 0) continue;
    const Destination destination = all.first_lost[k];
    tree.follow(tables, destination);
    result.first_lost = lost_pair(fabric, endpoint(tables, destination), k < 2, [&](Switch s) {
      return tree.reaches(index(s)) || job.unknown.from(tree, destination, s);
    });
  }
  return {std::move(result), lengths};
}

ReachAndLengths check_tables(const Fabric& fabric, const Routing& routing,
                             const std::vector<std::uint16_t>& least, int threads) {
  const ForwardingTables& tables = routing.tables;
  const HopMap map(fabric);
  const CommonHops common(map, fabric.num_switches());
  const UnknownPairs unknown(fabric, routing);
  ReachJob job{fabric, routing, unknown, {}, least};
  for (const std::uint32_t on : terminals_on(fabric)) job.sources.push_back(kOneSwitch + on);
  std::vector<ReachWorker> workers = parallel_with(
      ReachWorker{DestinationTree(fabric, map), {fabric, tables, map, common}, {}, {}},
      tables.num_destinations(), threads,
      [&](std::size_t item, ReachWorker& worker) {
        check_row(job, static_cast<Destination>(item), worker);
      },
      kDestinationsAtOnce);
  return put_together(job, workers, workers.front().tree);
}

// Source routes: one for each pair of switches, shared by all terminals on them.
ReachAndLengths check_source_routes(const Fabric& fabric, const SourceRoutes& routes,
                                    const std::vector<std::uint16_t>& least) {
  ReachAndLengths found{
      .reachability = {.pairs = all_pairs(fabric.num_terminals(), fabric.num_switches(), 0)},
      .minimality = {}};
  Reachability& result = found.reachability;
  const Table<Switch, std::uint32_t> on = terminals_on(fabric);
  PairCounts reached;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    for (const Switch d : ids<Switch>(fabric.num_switches())) {
      if (!source_route_arrives(fabric, routes, s, d)) continue;
      const std::uint64_t self = s == d ? 1 : 0;
      const PairCounts pairs{std::uint64_t{on[s]} * on[d] - self * on[d], on[s], on[d], 1 - self};
      const auto hops = static_cast<std::uint32_t>(routes.at(s, d).size());
      result.hops.add(hops, pairs);
      reached += pairs;
      if (least.empty()) continue;
      found.minimality.add(hops, least[index(d) * fabric.num_switches() + index(s)], pairs);
    }
  }
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) == kNone<Switch>) ++reached.terminal_terminal;
  }
  result.unreachable = result.pairs - reached;
  if (result.unreachable.total() == 0) return found;

  const auto try_destination = [&](const Endpoint& destination, bool from_terminal) {
    const Switch at = switch_of(fabric, destination);
    const LostPair lost = lost_pair(fabric, destination, from_terminal, [&](Switch s) {
      return at != kNone<Switch> && source_route_arrives(fabric, routes, s, at);
    });
    if (lost.source != Endpoint{}) result.first_lost = lost;
    return result.first_lost.has_value();
  };
  for (const bool from_terminal : {true, false}) {
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      if (try_destination(endpoint(t), from_terminal)) return found;
    }
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      if (try_destination(endpoint(s), from_terminal)) return found;
    }
  }
  return found;
}

// `least`: hop_counts(); empty: lengths are not asked for.
ReachAndLengths check(const Fabric& fabric, const Routing& routing,
                      const std::vector<std::uint16_t>& least, int threads) {
  ReachAndLengths found = routing.source_routes.empty()
                              ? check_tables(fabric, routing, least, threads)
                              : check_source_routes(fabric, routing.source_routes, least);
  found.reachability.disconnected =
      found.reachability.pairs - joined_pairs(fabric, routing.tables.lmc());
  return found;
}

}  // namespace

void ReachTally::add_lost(const PairCounts& lost, Destination destination) {
  unreachable += lost;
  for (std::size_t k = 0; k < kPairKinds.size(); ++k) {
    if (lost.*kPairKinds[k] > 0) first_lost[k] = std::min(first_lost[k], destination);
  }
}

void ReachTally::add_loops(std::uint64_t more, Destination first) {
  loops += more;
  if (more > 0) first_loop = std::min(first_loop, first);
}

ReachTally& ReachTally::operator+=(const ReachTally& other) {
  unreachable += other.unreachable;
  unknown += other.unknown;
  hops += other.hops;
  add_loops(other.loops, other.first_loop);
  for (std::size_t i = 0; i < faults.size(); ++i) faults[i] += other.faults[i];
  for (std::size_t k = 0; k < first_lost.size(); ++k) {
    first_lost[k] = std::min(first_lost[k], other.first_lost[k]);
  }
  return *this;
}

LostPair lost_pair(const Fabric& fabric, const Endpoint& destination, bool from_terminal,
                   const std::function<bool(Switch)>& reaches) {
  if (!from_terminal) {
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      if (endpoint(s) != destination && !reaches(s)) return {endpoint(s), destination};
    }
  }
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const Switch leaf = fabric.leaf(t);
    if (endpoint(t) == destination) continue;
    const bool arrives = leaf != kNone<Switch>
                             ? reaches(leaf)
                             : !destination.is_switch() &&
                                   fabric.terminal_at(fabric.peer(fabric.terminal_channel(t))) ==
                                       destination.terminal;
    if (!arrives) return {endpoint(t), destination};
  }
  return {};
}

Reachability find_reachability(const Fabric& fabric, const Routing& routing, int threads) {
  return check(fabric, routing, {}, threads).reachability;
}

ReachAndLengths find_reach_and_lengths(const Fabric& fabric, const Routing& routing, int threads) {
  return check(fabric, routing, hop_counts(port_graph(fabric), threads), threads);
}

std::vector<std::uint64_t> count_lane_routes(const Routing& routing) {
  std::vector<std::uint64_t> count(routing.lanes.count);
  for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
    const std::span<const Port> row = routing.tables.row(destination);
    if (routing.lanes.single()) {
      const auto none = std::ranges::count(row, kNoRoute) + std::ranges::count(row, kOwnPort);
      count[0] += row.size() - static_cast<std::size_t>(none);
      continue;
    }
    for (const Switch s : ids<Switch>(row.size())) {
      const Port port = row[index(s)];
      if (port != kNoRoute && port != kOwnPort) ++count[routing.lanes.at(destination, s)];
    }
  }
  return count;
}

}  // namespace fatwood
