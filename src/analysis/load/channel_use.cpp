// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/load/channel_use.hpp"

#include <algorithm>
#include <array>
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

struct UseWorker {
  RowFlows row;
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
                     UseWorker& worker) {
  worker.row.follow(tables, destination);
  const auto row = tables.row(destination);
  const std::uint32_t kind = worker.row.sources().kind(tables.terminal(destination));
  for (const std::uint32_t s : worker.row.reached()) {
    worker.sent.add(s, kind);
    const std::uint32_t flows = worker.row.behind(s);
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

void add(ChannelUse& all, const ChannelUse& part) {
  for (const Channel c : ids<Channel>(all.flows.size())) {
    all.flows[c] += part.flows[c];
    all.destinations[c] += part.destinations[c];
  }
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
        splits_(static_cast<std::size_t>(thread_count(threads)), EvenSplit(model, routing)) {}

  ChannelUse find() {
    const Fabric& fabric = model_.fabric();
    const std::int64_t units = find_units();
    const std::uint64_t one = sources_.units_in_one() << tables_.lmc();
    ChannelUse all = no_use(fabric, one * static_cast<std::uint64_t>(units));
    std::vector<ChannelUse> part(splits_.size(), all);
    std::vector<SentByPorts> sent(splits_.size(), SentByPorts(fabric, sources_));
    std::vector<std::uint8_t> delivered(tables_.num_destinations(), 0);
    parallel_for(classes_.size(), threads_, [&](std::size_t c, int thread) {
      const auto worker = static_cast<std::size_t>(thread);
      add_class(c, units, splits_[worker], part[worker], sent[worker], delivered);
    });
    for (const ChannelUse& use : part) add(all, use);
    for (std::size_t i = 1; i < sent.size(); ++i) sent[0].add(sent[i]);
    add_host_channels(model_, sources_, sent[0], tables_.lmc(), delivered,
                      static_cast<std::uint64_t>(units), all);
    return all;
  }

 private:
  // The destinations of the class that belong to counted adapters.
  std::vector<Destination> destinations_of(std::size_t c) const {
    std::vector<Destination> destinations;
    for (const Destination destination : classes_.of(c)) {
      if (!tables_.is_switch(destination) &&
          model_.adapters().sends(tables_.terminal(destination))) {
        destinations.push_back(destination);
      }
    }
    return destinations;
  }

  // The input of each switch for all of these destinations, in the units of the sources. Those of a
  // kind get the same. Calls visit(kind, number of destinations, input for each).
  template <class Visit>
  std::vector<std::int64_t> entering(std::span<const Destination> destinations,
                                     const ChoiceWalk& walk, const Visit& visit) const {
    std::vector<std::int64_t> amount(model_.fabric().num_switches());
    std::vector<std::int64_t> number(sources_.num_kinds());
    for (const Destination to : destinations) ++number[sources_.kind(tables_.terminal(to))];
    for (const Destination destination : destinations) {
      const Terminal to = tables_.terminal(destination);
      const std::uint32_t kind = sources_.kind(to);
      const std::int64_t n = std::exchange(number[kind], 0);
      if (n == 0) continue;
      std::int64_t each = 0;
      for (const std::uint32_t s : walk.order()) {
        const auto sent = static_cast<std::int64_t>(sources_.on(to)[static_cast<Switch>(s)]);
        amount[s] += n * sent;
        each += sent;
      }
      if (delivers(walk)) {
        const auto own = static_cast<std::int64_t>(sources_.from_itself(to));
        amount[index(walk.home())] -= n * own;
        each -= own;
      }
      visit(kind, static_cast<std::uint64_t>(n), each);
    }
    return amount;
  }
  static bool delivers(const ChoiceWalk& walk) {
    return walk.home() != kNone<Switch> && walk.fate(index(walk.home())) == Fate::kArrives;
  }

  // The number of parts of one unit of the sources, such that nothing is rounded, if that fits 62
  // bits.
  std::int64_t find_units() {
    std::vector<std::int64_t> divisions(splits_.size(), 1);
    parallel_for(classes_.size(), threads_, [&](std::size_t c, int thread) {
      const std::vector<Destination> destinations = destinations_of(c);
      if (destinations.empty()) return;
      EvenSplit& split = splits_[static_cast<std::size_t>(thread)];
      const ChoiceWalk& walk = split.follow(destinations.front());
      std::vector<std::int64_t> marks =
          entering(destinations, walk, [](std::uint32_t, std::uint64_t, std::int64_t) {});
      for (std::int64_t& mark : marks) mark = mark > 0 ? 1 : 0;
      std::int64_t& mine = divisions[static_cast<std::size_t>(thread)];
      const std::array both{mine, split.divisions(std::move(marks))};
      mine = common_division(both, 1);
    });
    // FlowSources has at most 2^31 units times adapters.
    const auto total =
        static_cast<std::int64_t>((sources_.units_in_one() << tables_.lmc()) *
                                  model_.adapters().size() * model_.adapters().size());
    const std::int64_t exact = common_division(divisions, total);
    return exact == 0 ? std::min(kRoundedUnits, kMostUnits / total) : exact;
  }

  void add_class(std::size_t c, std::int64_t units, EvenSplit& split, ChannelUse& use,
                 SentByPorts& sent, std::vector<std::uint8_t>& delivered) const {
    const Fabric& fabric = model_.fabric();
    const std::vector<Destination> destinations = destinations_of(c);
    if (destinations.empty()) return;
    const ChoiceWalk& walk = split.follow(classes_.of(c).front());
    std::vector<std::int64_t> each(sources_.num_kinds());
    std::vector<std::int64_t> amount = entering(
        destinations, walk, [&](std::uint32_t kind, std::uint64_t number, std::int64_t input) {
          each[kind] = input;
          for (const std::uint32_t s : walk.order()) sent.add(s, kind, number);
        });
    for (const Destination destination : destinations) {
      const Terminal to = tables_.terminal(destination);
      const Channel last = fabric.peer(fabric.terminal_channel(to));
      use.flows[last] += static_cast<std::uint64_t>(each[sources_.kind(to)] * units);
      ++use.destinations[last];
      delivered[index(destination)] = delivers(walk) ? 1 : 0;
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
  std::vector<EvenSplit> splits_;
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
    if (!fabric.between_switches(c)) {
      continue;
    }
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
  std::vector<UseWorker> workers(static_cast<std::size_t>(thread_count(threads)),
                                 UseWorker{row, all, SentByPorts(fabric, sources)});
  std::vector<std::uint8_t> delivered(tables.num_destinations() - tables.num_switches(), 0);
  parallel_for(
      delivered.size(), threads,
      [&](std::size_t item, int thread) {
        UseWorker& worker = workers[static_cast<std::size_t>(thread)];
        const auto destination = static_cast<Destination>(item);
        const Terminal t = tables.terminal(destination);
        if (takes_part[t] == 0 || !model.adapters().sends(t)) return;
        add_destination(fabric, tables, destination, worker);
        delivered[item] = worker.row.reached().empty() ? 0 : 1;
      },
      16);
  for (const UseWorker& worker : workers) add(all, worker.use);
  for (std::size_t i = 1; i < workers.size(); ++i) workers[0].sent.add(workers[i].sent);
  add_host_channels(model, sources, workers[0].sent, tables.lmc(), delivered, 1, all);
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
