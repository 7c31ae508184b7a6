// SPDX-License-Identifier: BSD-3-Clause
#include "routing/improve/row_flows.hpp"

#include <utility>

#include "core/parallel.hpp"

namespace fatwood {

RowFlows::RowFlows(const Model& model, FlowSources sources)
    : model_(model),
      sources_(std::make_shared<const FlowSources>(std::move(sources))),
      leaves_(sending_switches(model)),
      tree_(model.fabric(), model.hop_map()),
      behind_(model.fabric().num_switches()) {}

void RowFlows::follow(const ForwardingTables& tables, Destination destination) {
  tree_.follow_from(tables, destination, leaves_);
  const auto reached = tree_.reached();
  if (reached.empty()) return;
  const Terminal terminal = tables.terminal(destination);
  const Table<Switch, std::uint64_t>& on = sources_->on(terminal);
  for (const std::uint32_t s : reached) behind_[s] = static_cast<std::uint32_t>(on[Switch{s}]);
  behind_[reached.front()] -= static_cast<std::uint32_t>(sources_->from_itself(terminal));
  for (std::size_t i = reached.size(); i-- > 1;) {
    behind_[tree_.hop(reached[i]).next()] += behind_[reached[i]];
  }
}

TableFlows::TableFlows(const PlacedTables& placed, int threads)
    : flows_(placed.model.fabric().num_channels(), 0) {
  std::vector<Destination> rows;
  for (const Destination d : ids<Destination>(placed.tables.num_destinations())) rows.push_back(d);
  add(placed, rows, 1, threads);
}

void TableFlows::change(const PlacedTables& before, const PlacedTables& after,
                        std::span<const Destination> rows, int threads) {
  add(before, rows, -1, threads);
  add(after, rows, 1, threads);
}

void TableFlows::add(const PlacedTables& tables, std::span<const Destination> rows,
                     std::int64_t sign, int threads) {
  struct Worker {
    RowFlows row;
    Table<Channel, std::int64_t> flows;
  };
  const Fabric& fabric = tables.model.fabric();
  const std::vector<Worker> workers = parallel_with(
      Worker{RowFlows(tables.model), Table<Channel, std::int64_t>(flows_.size(), 0)}, rows.size(),
      threads,
      [&](std::size_t i, Worker& worker) {
        auto& [row, flows] = worker;
        if (!row.counts(tables.tables, rows[i])) return;
        row.follow(tables.tables, rows[i]);
        const auto ports = tables.tables.row(rows[i]);
        const auto reached = row.reached();
        for (std::size_t r = 1; r < reached.size(); ++r) {
          const std::uint32_t s = reached[r];
          flows[fabric.channel(fabric.node(Switch{s}), ports[s])] += row.behind(s);
        }
      },
      16);
  for (const Worker& worker : workers) {
    for (const Channel c : ids<Channel>(flows_.size())) flows_[c] += sign * worker.flows[c];
  }
}

}  // namespace fatwood
