// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/load/channel_use.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "analysis/load/even_split.hpp"
#include "analysis/load/link_load.hpp"
#include "core/parallel.hpp"
#include "routing/adaptive/target_classes.hpp"
#include "routing/tables/target_tree.hpp"
#include "topology/channel_speeds.hpp"
#include "topology/flow_sources.hpp"

namespace fatwood {

namespace {

struct UseWorker {
  TargetTree tree;
  std::vector<std::uint64_t> behind;  // sources whose packets come to each switch
  ChannelUse use;
};

void count(ChannelUse& use, Channel c, std::uint64_t flows) {
  use.flows[c] += flows;
  ++use.destinations[c];
}

void add_target(const Fabric& fabric, const ForwardingTables& tables, Target target,
                const FlowSources& sources, UseWorker& worker) {
  const Table<Switch, std::uint64_t>& on = sources.on(tables.terminal(target));
  const TargetTree& tree = worker.tree;
  const auto row = tables.row(target);
  const auto reached = tree.reached();
  for (const std::uint32_t s : reached) worker.behind[s] = on[static_cast<Switch>(s)];
  if (reached.empty()) return;
  worker.behind[reached.front()] -= sources.from_itself(tables.terminal(target));
  for (std::size_t i = reached.size(); i-- > 0;) {
    const std::uint32_t s = reached[i];
    if (worker.behind[s] == 0) continue;
    count(worker.use, fabric.channel(fabric.node(static_cast<Switch>(s)), row[s]),
          worker.behind[s]);
    if (i > 0) worker.behind[tree.hop(s).next()] += worker.behind[s];
  }
}

void add_source_routes(const Model& model, const SourceRoutes& routes, const FlowSources& sources,
                       ChannelUse& use) {
  const Fabric& fabric = model.fabric();
  for (const Terminal t : model.hosts().all_terminals()) {
    const Switch d = fabric.leaf(t);
    if (d == kNone<Switch>) continue;
    Table<Channel, std::uint8_t> carries(fabric.num_channels(), 0);
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      const std::uint64_t sent = sources.on(t)[s];
      if (sent == 0) continue;
      for (const Channel c : routes.at(s, d)) {
        use.flows[c] += sent;
        if (carries[c] == 0) ++use.destinations[c];
        carries[c] = 1;
      }
    }
  }
}

// Adaptive tables: each switch spreads evenly over the ports of an entry.
ChannelUse adaptive_use(const Model& model, const Routing& routing, const FlowSources& sources,
                        int threads) {
  const Fabric& fabric = model.fabric();
  const ForwardingTables& tables = routing.tables;
  const TargetClasses classes = target_classes(fabric, routing, threads);
  const auto workers = static_cast<std::size_t>(thread_count(threads));
  std::vector<EvenSplit> splits(workers, EvenSplit(model, routing));
  // What enters at each switch for a class, in the units of the sources.
  const auto enters = [&](std::size_t c, const ChoiceWalk& walk) {
    std::vector<std::int64_t> amount(fabric.num_switches());
    for (const Target target : classes.of(c)) {
      if (tables.is_switch(target) || !model.hosts().counts(tables.terminal(target))) continue;
      const Table<Switch, std::uint64_t>& on = sources.on(tables.terminal(target));
      for (const std::uint32_t s : walk.order()) {
        amount[s] += static_cast<std::int64_t>(on[static_cast<Switch>(s)]);
      }
      if (walk.home() == kNone<Switch> || walk.fate(index(walk.home())) != Fate::kArrives) continue;
      amount[index(walk.home())] -=
          static_cast<std::int64_t>(sources.from_itself(tables.terminal(target)));
    }
    return amount;
  };
  std::vector<std::int64_t> divisions(workers, 1);
  parallel_for(classes.size(), threads, [&](std::size_t c, int thread) {
    EvenSplit& split = splits[static_cast<std::size_t>(thread)];
    std::vector<std::int64_t> marks = enters(c, split.follow(classes.of(c).front()));
    for (std::int64_t& mark : marks) mark = mark > 0 ? 1 : 0;
    std::int64_t& mine = divisions[static_cast<std::size_t>(thread)];
    const std::array both{mine, split.divisions(std::move(marks))};
    mine = common_division(both, 1);
  });
  const auto total = static_cast<std::int64_t>((sources.units_in_one() << tables.lmc()) *
                                               model.hosts().size() * model.hosts().size());
  const std::int64_t exact = common_division(divisions, total);
  const std::int64_t units = exact == 0 ? kRoundedUnits : exact;
  const ChannelUse none{
      (sources.units_in_one() << tables.lmc()) * static_cast<std::uint64_t>(units),
      Table<Channel, std::uint64_t>(fabric.num_channels(), 0),
      Table<Channel, std::uint32_t>(fabric.num_channels(), 0)};
  std::vector<ChannelUse> part(workers, none);
  parallel_for(classes.size(), threads, [&](std::size_t c, int thread) {
    EvenSplit& split = splits[static_cast<std::size_t>(thread)];
    ChannelUse& use = part[static_cast<std::size_t>(thread)];
    const ChoiceWalk& walk = split.follow(classes.of(c).front());
    std::vector<std::int64_t> amount = enters(c, walk);
    for (std::int64_t& one : amount) one *= units;
    std::uint32_t addresses = 0;
    std::int64_t all = 0;
    for (const std::int64_t one : amount) all += one;
    for (const Target target : classes.of(c)) {
      if (tables.is_switch(target) || !model.hosts().counts(tables.terminal(target))) continue;
      ++addresses;
    }
    split.spread(amount, [&](Channel channel, std::int64_t flows) {
      use.flows[channel] += static_cast<std::uint64_t>(flows);
      use.destinations[channel] += addresses;
    });
    if (addresses == 0) return;
    // All sources that arrive send as much to each address of the class.
    for (const Target target : classes.of(c)) {
      if (tables.is_switch(target) || !model.hosts().counts(tables.terminal(target))) continue;
      const Channel last = fabric.peer(fabric.terminal_channel(tables.terminal(target)));
      use.flows[last] += static_cast<std::uint64_t>(all) / addresses;
      ++use.destinations[last];
    }
  });
  ChannelUse all = none;
  for (const ChannelUse& use : part) {
    for (const Channel c : ids<Channel>(fabric.num_channels())) {
      all.flows[c] += use.flows[c];
      all.destinations[c] += use.destinations[c];
    }
  }
  return all;
}

template <class Count>
UseSpread spread(const Fabric& fabric, const Table<Channel, Count>& use, std::uint64_t units,
                 Weighing weighing) {
  UseSpread result;
  std::uint64_t largest = 0;
  double sum = 0;
  double squares = 0;
  const ChannelSpeeds speeds(fabric);
  const auto weight_of = [&](Channel c) {
    return weighing == Weighing::kSpeeds ? static_cast<std::uint64_t>(speeds.weight(c)) : 1U;
  };
  if (weighing == Weighing::kSpeeds) units *= static_cast<std::uint64_t>(speeds.weight_of_one());
  double channels = 0;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c) || !fabric.is_switch(fabric.owner(c)) ||
        !fabric.is_switch(fabric.neighbour(c))) {
      continue;
    }
    const std::uint64_t weighed = use[c] * weight_of(c);
    const double value = static_cast<double>(weighed) / static_cast<double>(units);
    largest = std::max(largest, weighed);
    sum += value;
    squares += value * value;
    ++channels;
  }
  result.largest = Fraction(static_cast<std::int64_t>(largest), static_cast<std::int64_t>(units));
  if (channels == 0) return result;
  result.mean = sum / channels;
  result.deviation = std::sqrt(std::max(0.0, squares / channels - result.mean * result.mean));
  return result;
}

}  // namespace

ChannelUse find_channel_use(const Model& model, const Routing& routing, int threads) {
  const Fabric& fabric = model.fabric();
  const std::size_t channels = fabric.num_channels();
  const ChannelUse none{1, Table<Channel, std::uint64_t>(channels, 0),
                        Table<Channel, std::uint32_t>(channels, 0)};
  ChannelUse all = none;
  const FlowSources sources(model);
  if (!routing.source_routes.empty()) {
    all.units_in_one = sources.units_in_one();
    add_source_routes(model, routing.source_routes, sources, all);
    return all;
  }
  if (!routing.sets.empty()) return adaptive_use(model, routing, sources, threads);
  const ForwardingTables& tables = routing.tables;
  all.units_in_one = sources.units_in_one() << tables.lmc();
  std::vector<UseWorker> workers(
      static_cast<std::size_t>(thread_count(threads)),
      UseWorker{TargetTree(fabric, model.hop_map()),
                std::vector<std::uint64_t>(fabric.num_switches()), none});
  parallel_for(
      tables.num_targets() - tables.num_switches(), threads,
      [&](std::size_t item, int thread) {
        UseWorker& worker = workers[static_cast<std::size_t>(thread)];
        const auto target = static_cast<Target>(item);
        if (!model.hosts().counts(tables.terminal(target))) return;
        worker.tree.follow(tables, target);
        add_target(fabric, tables, target, sources, worker);
      },
      16);
  for (const UseWorker& worker : workers) {
    for (const Channel c : ids<Channel>(channels)) {
      all.flows[c] += worker.use.flows[c];
      all.destinations[c] += worker.use.destinations[c];
    }
  }
  return all;
}

UseSpread spread_of_flows(const Fabric& fabric, const ChannelUse& use) {
  return spread(fabric, use.flows, use.units_in_one, Weighing::kSpeeds);
}

UseSpread spread_of_destinations(const Fabric& fabric, const ChannelUse& use) {
  return spread(fabric, use.destinations, 1, Weighing::kFlows);
}

}  // namespace fatwood
