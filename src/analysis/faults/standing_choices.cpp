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
  struct Worker {
    EvenSplit split;
    Table<Channel, std::int64_t> flows;
  };
  const auto add_class = [&](std::size_t c, Worker& own) {
    const ChoiceWalk& walk = own.split.follow(classes.of(c).front());
    for (std::uint32_t i = 0; i < walk.order().size(); ++i) {
      place[at(c, Switch{walk.order()[i]})] = i;
    }
    of_hosts[c] = counted_destinations(model, routing.tables, classes.of(c));
    if (of_hosts[c].empty()) return;
    std::vector<std::int64_t> amount = all_to_all_input(sources, routing.tables, of_hosts[c], walk);
    for (std::int64_t& one : amount) one *= units;
    for (const std::uint32_t s : walk.order()) arriving[at(c, Switch{s})] = amount[s];
    own.split.spread(std::move(amount), [&](Channel channel, std::int64_t flow) {
      own.flows[channel] += flow;
      arriving[at(c, fabric.next_switch(channel))] += flow;
    });
  };
  const auto workers =
      parallel_with(Worker{EvenSplit(model, routing), flows}, classes.size(), threads, add_class);
  const ChannelUse use = find_channel_use(model, routing, threads);
  const std::uint64_t exact = use.units_in_one / source_units(sources, routing);
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    for (const Worker& worker : workers) flows[c] += worker.flows[c];
    if (!fabric.between_switches(c)) {
      flows[c] = static_cast<std::int64_t>(use.flows[c] / exact) * units;
    }
    if (fabric.connected(c)) order.push_back(c);
  }
  std::ranges::sort(order,
                    [&](Channel a, Channel b) { return most.before(a, flows[a], b, flows[b]); });
  peers = most_peers(model, [&](Channel c) { return flows[c]; });
}

}  // namespace fatwood
