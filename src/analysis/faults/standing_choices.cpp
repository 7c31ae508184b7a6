// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "analysis/faults/choice_cost.hpp"
#include "analysis/load/even_split.hpp"
#include "core/parallel.hpp"

namespace fatwood {

namespace {

std::uint64_t source_units(const FlowSources& sources, const Routing& routing) {
  return sources.units_in_one() << routing.tables.lmc();
}

std::int64_t rounded_units(const Model& model, const FlowSources& sources, const Routing& routing) {
  const auto hosts = static_cast<std::int64_t>(model.adapters().size());
  const auto total = static_cast<std::int64_t>(source_units(sources, routing)) * hosts * hosts;
  return std::min(kRoundedUnits, kMostUnits / std::max<std::int64_t>(total, 1));
}

// What enters at each switch for all of these destinations, in units of the sources.
std::vector<std::int64_t> entering(const StandingChoices& standing, const ChoiceWalk& walk,
                                   std::span<const Destination> destinations) {
  std::vector<std::int64_t> amount(standing.model.fabric().num_switches());
  for (const Destination destination : destinations) {
    const Terminal to = standing.routing.tables.terminal(destination);
    for (const std::uint32_t s : walk.order()) {
      amount[s] += static_cast<std::int64_t>(standing.sources.on(to)[Switch{s}]);
    }
    if (walk.fate(index(walk.home())) == Fate::kArrives) {
      amount[index(walk.home())] -= static_cast<std::int64_t>(standing.sources.from_itself(to));
    }
  }
  return amount;
}

// The destinations that belong to counted hosts and have a switch.
std::vector<Destination> of_counted_hosts(const Model& model, const ForwardingTables& tables,
                                          std::span<const Destination> destinations) {
  std::vector<Destination> counted;
  for (const Destination destination : destinations) {
    if (tables.is_switch(destination)) continue;
    const Terminal t = tables.terminal(destination);
    if (model.adapters().sends(t) && model.fabric().leaf(t) != kNone<Switch>) {
      counted.push_back(destination);
    }
  }
  return counted;
}

}  // namespace

StandingChoices::StandingChoices(const Model& on, const Routing& tables, int threads)
    : model(on),
      routing(tables),
      sources(on),
      classes(destination_classes(on.fabric(), tables, threads)),
      units(rounded_units(on, sources, tables)),
      of_hosts(classes.size()),
      arriving(classes.size() * on.fabric().num_switches()),
      place(classes.size() * on.fabric().num_switches(), kNowhere),
      flows(on.fabric().num_channels(), 0),
      most(on, source_units(sources, tables) * static_cast<std::uint64_t>(units)) {
  const Fabric& fabric = model.fabric();
  const auto workers = static_cast<std::size_t>(thread_count(threads));
  std::vector<EvenSplit> splits(workers, EvenSplit(model, routing));
  std::vector<Table<Channel, std::int64_t>> part(workers, flows);
  parallel_for(classes.size(), threads, [&](std::size_t c, int thread) {
    EvenSplit& split = splits[static_cast<std::size_t>(thread)];
    const ChoiceWalk& walk = split.follow(classes.of(c).front());
    for (std::uint32_t i = 0; i < walk.order().size(); ++i) {
      place[at(c, Switch{walk.order()[i]})] = i;
    }
    of_hosts[c] = of_counted_hosts(model, routing.tables, classes.of(c));
    if (of_hosts[c].empty()) return;
    std::vector<std::int64_t> amount = entering(*this, walk, of_hosts[c]);
    for (std::int64_t& one : amount) one *= units;
    for (const std::uint32_t s : walk.order()) arriving[at(c, Switch{s})] = amount[s];
    split.spread(std::move(amount), [&](Channel channel, std::int64_t flow) {
      part[static_cast<std::size_t>(thread)][channel] += flow;
      arriving[at(c, fabric.as_switch(fabric.neighbour(channel)))] += flow;
    });
  });
  const ChannelUse use = find_channel_use(model, routing, threads);
  const std::uint64_t exact = use.units_in_one / source_units(sources, routing);
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    for (const Table<Channel, std::int64_t>& one : part) flows[c] += one[c];
    if (!fabric.between_switches(c)) {
      flows[c] = static_cast<std::int64_t>(use.flows[c] / exact) * units;
    }
    if (fabric.connected(c)) order.push_back(c);
  }
  std::ranges::sort(order,
                    [&](Channel a, Channel b) { return most.before(a, flows[a], b, flows[b]); });
}

}  // namespace fatwood
