// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/load/channel_use.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "analysis/load/even_split.hpp"
#include "analysis/load/link_load.hpp"
#include "core/parallel.hpp"
#include "routing/adaptive/destination_classes.hpp"
#include "routing/improve/row_flows.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

namespace {

// One thread's way to follow destinations, and what it found.
template <class Follow>
struct UseWorker {
  Follow follow;
  ChannelUse use;
  SentByPorts sent;
};

// Adds what adapter ports send.
void add_host_channels(const Model& model, const FlowSources& sources, const SentByPorts& sent,
                       unsigned lmc, std::span<const std::uint8_t> delivered, std::uint64_t units,
                       ChannelUse& use) {
  each_sending_port(model, sources, sent, lmc, delivered, [&](Terminal t, std::uint64_t own) {
    use.flows[model.fabric().terminal_channel(t)] = units * own;
  });
}

void add_destination(const Fabric& fabric, const ForwardingTables& tables, Destination destination,
                     UseWorker<RowFlows>& worker) {
  worker.follow.follow(tables, destination);
  const auto row = tables.row(destination);
  const std::uint32_t kind = worker.follow.sources().kind(tables.terminal(destination));
  for (const std::uint32_t s : worker.follow.reached()) {
    worker.sent.add(s, kind);
    const std::uint32_t flows = worker.follow.behind(s);
    if (flows == 0) continue;
    const Channel c = fabric.channel(fabric.node(Switch{s}), row[s]);
    worker.use.flows[c] += flows;
    ++worker.use.destinations[c];
  }
}

void add_source_routes(const Model& model, const SourceRoutes& routes, const FlowSources& sources,
                       ChannelUse& use) {
  const Fabric& fabric = model.fabric();
  SentByPorts sent(fabric, sources);
  for (const Terminal t : model.adapters().all_terminals()) {
    const Switch d = fabric.leaf(t);
    if (d == kNone<Switch>) continue;
    const Channel last = fabric.peer(fabric.terminal_channel(t));
    Table<Channel, std::uint8_t> carries(fabric.num_channels(), 0);
    const auto add = [&](Channel c, std::uint64_t units) {
      use.flows[c] += units;
      if (units > 0 && carries[c] == 0) ++use.destinations[c];
      if (units > 0) carries[c] = 1;
    };
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      if (s != d && routes.at(s, d).empty()) continue;
      sent.add(index(s), sources.kind(t));
      const std::uint64_t units = sources.on(t)[s] - (s == d ? sources.from_itself(t) : 0);
      add(last, units);
      if (s == d) continue;
      for (const Channel c : routes.at(s, d)) add(c, units);
    }
  }
  const std::vector<std::uint8_t> delivered(fabric.num_terminals(), 1);
  add_host_channels(model, sources, sent, 0, delivered, 1, use);
}

ChannelUse no_use(const Fabric& fabric, std::uint64_t units_in_one) {
  return {units_in_one, Table<Channel, std::uint64_t>(fabric.num_channels(), 0),
          Table<Channel, std::uint32_t>(fabric.num_channels(), 0)};
}

// Adds up what the threads found, and adds what adapter ports send.
template <class Follow>
void add_workers(const Model& model, const FlowSources& sources,
                 std::vector<UseWorker<Follow>> workers, unsigned lmc,
                 std::span<const std::uint8_t> delivered, std::uint64_t units, ChannelUse& all) {
  for (const UseWorker<Follow>& worker : workers) {
    for (const Channel c : ids<Channel>(all.flows.size())) {
      all.flows[c] += worker.use.flows[c];
      all.destinations[c] += worker.use.destinations[c];
    }
  }
  for (std::size_t i = 1; i < workers.size(); ++i) workers[0].sent.add(workers[i].sent);
  add_host_channels(model, sources, workers[0].sent, lmc, delivered, units, all);
}

// Adaptive tables: each switch spreads evenly over the ports of an entry.
class AdaptiveUse {
 public:
  AdaptiveUse(const Model& model, const Routing& routing, const FlowSources& sources, int threads)
      : model_(model),
        tables_(routing.tables),
        sources_(sources),
        threads_(threads),
        classes_(destination_classes(model.fabric(), routing, threads)),
        split_(model, routing) {}

  ChannelUse find() const {
    const std::int64_t units = find_units();
    const std::uint64_t one = sources_.units_in_one() << tables_.lmc();
    ChannelUse all = no_use(model_.fabric(), one * static_cast<std::uint64_t>(units));
    std::vector<std::uint8_t> delivered(tables_.num_destinations(), 0);
    const SentByPorts sent(model_.fabric(), sources_);
    auto workers =
        parallel_with(UseWorker<EvenSplit>{split_, all, sent}, classes_.size(), threads_,
                      [&](std::size_t c, auto& worker) { add_class(c, units, worker, delivered); });
    add_workers(model_, sources_, std::move(workers), tables_.lmc(), delivered,
                static_cast<std::uint64_t>(units), all);
    return all;
  }

 private:
  // The number of parts of one unit of the sources, such that nothing is rounded, if that fits 62
  // bits.
  std::int64_t find_units() const {
    const std::int64_t divisions = find_divisions(
        classes_.size(), threads_, split_, [&](std::size_t c, EvenSplit& split) -> std::int64_t {
          const std::vector<Destination> destinations =
              counted_destinations(model_, tables_, classes_.of(c));
          if (destinations.empty()) return 1;
          const ChoiceWalk& walk = split.follow(destinations.front());
          std::vector<std::int64_t> marks = all_to_all_input(sources_, tables_, destinations, walk);
          for (std::int64_t& mark : marks) mark = mark > 0 ? 1 : 0;
          return split.divisions(std::move(marks));
        });
    // FlowSources has at most 2^31 units times adapters.
    const auto total =
        static_cast<std::int64_t>((sources_.units_in_one() << tables_.lmc()) *
                                  model_.adapters().size() * model_.adapters().size());
    const bool fits = divisions != 0 && divisions <= kMostUnits / std::max<std::int64_t>(total, 1);
    return fits ? divisions : std::min(kRoundedUnits, kMostUnits / total);
  }

  void add_class(std::size_t c, std::int64_t units, UseWorker<EvenSplit>& worker,
                 std::vector<std::uint8_t>& delivered) const {
    auto& [split, use, sent] = worker;
    const Fabric& fabric = model_.fabric();
    const std::vector<Destination> destinations =
        counted_destinations(model_, tables_, classes_.of(c));
    if (destinations.empty()) return;
    const ChoiceWalk& walk = split.follow(classes_.of(c).front());
    std::vector<std::int64_t> each(sources_.num_kinds());
    std::vector<std::int64_t> amount =
        all_to_all_input(sources_, tables_, destinations, walk,
                         [&](std::uint32_t kind, std::uint64_t number, std::int64_t input) {
                           each[kind] = input;
                           for (const std::uint32_t s : walk.order()) sent.add(s, kind, number);
                         });
    for (const Destination destination : destinations) {
      const Terminal to = tables_.terminal(destination);
      const Channel last = fabric.peer(fabric.terminal_channel(to));
      use.flows[last] += static_cast<std::uint64_t>(each[sources_.kind(to)] * units);
      ++use.destinations[last];
      delivered[index(destination)] = walk.home_arrives() ? 1 : 0;
    }
    for (std::int64_t& one : amount) one *= units;
    split.spread(std::move(amount), [&](Channel channel, std::int64_t flows) {
      use.flows[channel] += static_cast<std::uint64_t>(flows);
      use.destinations[channel] += static_cast<std::uint32_t>(destinations.size());
    });
  }

  const Model& model_;
  const ForwardingTables& tables_;
  const FlowSources& sources_;
  int threads_;
  DestinationClasses classes_;
  EvenSplit split_;
};

template <class Count>
UseSpread spread(const Model& model, const Table<Channel, Count>& use, std::uint64_t units,
                 Weighing weighing) {
  const Fabric& fabric = model.fabric();
  UseSpread result;
  double sum = 0;
  double squares = 0;
  const ChannelSpeeds& speeds = model.speeds();
  const auto speed_of = [&](Channel c) {
    return weighing == Weighing::kSpeeds ? speeds.speed(c) : speeds.usual();
  };
  double channels = 0;
  Channel largest = kNone<Channel>;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.between_switches(c)) continue;
    if (largest == kNone<Channel> || static_cast<__int128>(use[c]) * speed_of(largest) >
                                         static_cast<__int128>(use[largest]) * speed_of(c)) {
      largest = c;
    }
    const double value = static_cast<double>(use[c]) / static_cast<double>(units) *
                         static_cast<double>(speeds.usual()) / static_cast<double>(speed_of(c));
    sum += value;
    squares += value * value;
    ++channels;
  }
  if (channels == 0) return result;
  result.largest =
      Fraction(static_cast<std::int64_t>(use[largest]), static_cast<std::int64_t>(units)) *
      Fraction(speeds.usual(), speed_of(largest));
  result.mean = sum / channels;
  result.deviation = std::sqrt(std::max(0.0, squares / channels - result.mean * result.mean));
  return result;
}

}  // namespace

ChannelUse find_channel_use(const Model& model, const Routing& routing, int threads) {
  const Fabric& fabric = model.fabric();
  if (!routing.source_routes.empty()) {
    const FlowSources sources(model);
    ChannelUse all = no_use(fabric, sources.units_in_one());
    add_source_routes(model, routing.source_routes, sources, all);
    return all;
  }
  if (!routing.sets.empty()) {
    return AdaptiveUse(model, routing, FlowSources(model), threads).find();
  }
  const Table<Terminal, std::uint8_t> all(fabric.num_terminals(), 1);
  return find_channel_use(model, routing.tables, all, threads);
}

ChannelUse find_channel_use(const Model& model, const ForwardingTables& tables,
                            const Table<Terminal, std::uint8_t>& takes_part, int threads) {
  const Fabric& fabric = model.fabric();
  const RowFlows row(model, FlowSources(model, takes_part));
  const FlowSources& sources = row.sources();
  ChannelUse all = no_use(fabric, sources.units_in_one() << tables.lmc());
  std::vector<std::uint8_t> delivered(tables.num_destinations() - tables.num_switches(), 0);
  auto workers = parallel_with(
      UseWorker<RowFlows>{row, all, SentByPorts(fabric, sources)}, delivered.size(), threads,
      [&](std::size_t item, UseWorker<RowFlows>& worker) {
        const auto destination = static_cast<Destination>(item);
        const Terminal t = tables.terminal(destination);
        if (takes_part[t] == 0 || !model.adapters().sends(t)) return;
        add_destination(fabric, tables, destination, worker);
        delivered[item] = worker.follow.reached().empty() ? 0 : 1;
      },
      16);
  add_workers(model, sources, std::move(workers), tables.lmc(), delivered, 1, all);
  for (const Terminal t : model.adapters().all_terminals()) {
    if (takes_part[t] == 0) all.flows[fabric.terminal_channel(t)] = 0;
  }
  return all;
}

UseSpread spread_of_flows(const Model& model, const ChannelUse& use) {
  return spread(model, use.flows, use.units_in_one, Weighing::kSpeeds);
}

UseSpread spread_of_destinations(const Model& model, const ChannelUse& use) {
  return spread(model, use.destinations, 1, Weighing::kFlows);
}

}  // namespace fatwood
