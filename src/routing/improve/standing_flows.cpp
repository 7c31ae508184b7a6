// SPDX-License-Identifier: BSD-3-Clause
#include "routing/improve/standing_flows.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "routing/improve/row_flows.hpp"

namespace fatwood {

namespace {

struct FlowWorker {
  RowFlows row;
  Table<Channel, std::int64_t> flows;
  SentByPorts sent;
};

// `behind` is its row of the result, all zero.
void add_destination(const Fabric& fabric, const ForwardingTables& tables, Destination destination,
                     std::span<std::uint32_t> behind, FlowWorker& worker) {
  RowFlows& flows = worker.row;
  flows.follow(tables, destination);
  const auto row = tables.row(destination);
  const std::uint32_t kind = flows.sources().kind(tables.terminal(destination));
  for (const std::uint32_t s : flows.reached()) {
    worker.sent.add(s, kind);
    behind[s] = flows.behind(s);
    worker.flows[fabric.channel(fabric.node(Switch{s}), row[s])] += behind[s];
  }
}

}  // namespace

StandingFlows::StandingFlows(const Model& model, const ForwardingTables& tables, int threads)
    : switches_(tables.num_switches()),
      flows_(model.fabric().num_channels(), 0),
      row_of_(tables.num_destinations() - tables.num_switches(), kNoRow),
      between_(model.fabric().num_channels(), 0),
      unit_time_(model.fabric().num_channels(), 1) {
  const Fabric& fabric = model.fabric();
  const RowFlows rows(model);
  const FlowSources& sources = rows.sources();
  units_in_one_ = sources.units_in_one() << tables.lmc();
  std::vector<Destination> destinations;
  for (const Destination destination : ids<Destination>(row_of_.size())) {
    if (!model.adapters().sends(tables.terminal(destination))) continue;
    row_of_[index(destination)] = static_cast<std::uint32_t>(destinations.size());
    destinations.push_back(destination);
  }
  behind_.resize(destinations.size() * switches_);
  std::vector<std::uint8_t> delivered(row_of_.size(), 0);
  std::vector<FlowWorker> workers = parallel_with(
      FlowWorker{rows, Table<Channel, std::int64_t>(flows_.size(), 0),
                 SentByPorts(fabric, sources)},
      destinations.size(), threads,
      [&](std::size_t i, FlowWorker& worker) {
        add_destination(fabric, tables, destinations[i],
                        std::span(behind_).subspan(i * switches_, switches_), worker);
        delivered[index(destinations[i])] = worker.row.reached().empty() ? 0 : 1;
      },
      16);
  for (const FlowWorker& worker : workers) {
    for (const Channel c : ids<Channel>(flows_.size())) flows_[c] += worker.flows[c];
  }
  for (std::size_t i = 1; i < workers.size(); ++i) workers[0].sent.add(workers[i].sent);
  each_sending_port(model, sources, workers[0].sent, tables.lmc(), delivered,
                    [&](Terminal t, std::uint64_t units) {
                      flows_[fabric.terminal_channel(t)] = static_cast<std::int64_t>(units);
                    });
  find_times(fabric);
}

void StandingFlows::find_times(const Fabric& fabric) {
  for (const Channel c : ids<Channel>(flows_.size())) {
    if (!fabric.connected(c) || !fabric.is_switch(fabric.owner(c))) continue;
    const bool between = fabric.is_switch(fabric.neighbour(c));
    between_[c] = between ? 1 : 0;
    const double rate = gigabits(fabric.rate(c));
    if (rate > 0) unit_time_[c] = 1 / rate;
    if (rate <= 0 && (between || flows_[c] > 0)) rates_known_ = false;
    if (between) by_flows_.push_back(c);
  }
  std::ranges::stable_sort(by_flows_, std::ranges::greater(), [&](Channel c) { return flows_[c]; });
}

}  // namespace fatwood
