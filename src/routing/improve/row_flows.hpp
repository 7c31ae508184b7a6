// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// All-to-all flows of tables: along the tree of one address (RowFlows, for every sum over trees:
// analysis/load/channel_use, standing_flows), and on each channel between switches (TableFlows). If
// a few rows change, the flows follow from these rows alone.
//
// Method: from the leaves of a destination's tree to its root, sum up the sources behind each
// channel. Cost of a row: O(switches on paths of hosts).

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "routing/tables/destination_tree.hpp"
#include "topology/flow_sources.hpp"

namespace fatwood {

// Working memory of one thread; every other thread needs a copy. The model must outlive it.
class RowFlows {
 public:
  explicit RowFlows(const Model& model) : RowFlows(model, FlowSources(model)) {}
  RowFlows(const Model& model, FlowSources sources);

  const FlowSources& sources() const { return *sources_; }
  // Whether hosts send to the address.
  bool counts(const ForwardingTables& tables, Destination destination) const {
    return !tables.is_switch(destination) && model_.adapters().sends(tables.terminal(destination));
  }
  // Computes the flows to another address. REQUIRES counts().
  void follow(const ForwardingTables& tables, Destination destination);

  // Switches that packets pass, each after its next hop; the first one delivers them.
  std::span<const std::uint32_t> reached() const { return tree_.reached(); }
  // The flow that arrives at a switch of reached().
  std::uint32_t behind(std::uint32_t s) const { return behind_[s]; }

 private:
  const Model& model_;
  std::shared_ptr<const FlowSources> sources_;
  std::vector<std::uint32_t> leaves_;
  DestinationTree tree_;
  std::vector<std::uint32_t> behind_;
};

// Calls visit(terminal, units) for what each counted terminal on a switch sends. `delivered`, by
// address: 1 if its switch delivers packets to the port, so that the port itself is among the
// addresses that its switch reaches.
template <class Visit>
void each_sending_port(const Model& model, const FlowSources& sources, const SentByPorts& sent,
                       unsigned lmc, std::span<const std::uint8_t> delivered, const Visit& visit) {
  const Fabric& fabric = model.fabric();
  for (const Terminal t : model.adapters().all_terminals()) {
    if (fabric.leaf(t) == kNone<Switch>) continue;
    const auto own = delivered.subspan(std::size_t{index(t)} << lmc, std::size_t{1} << lmc);
    const auto ones = static_cast<std::uint64_t>(std::ranges::count(own, 1));
    visit(t, sent.sent(fabric, sources, t, ones));
  }
}

class TableFlows {
 public:
  // REQUIRES tables of the model's size.
  explicit TableFlows(const PlacedTables& placed, int threads = 0);
  // Updates the flows to the tables `after`, whose rows are those of `before` except for these.
  // REQUIRES that this has the flows of `before`, and hosts in the same places.
  void change(const PlacedTables& before, const PlacedTables& after,
              std::span<const Destination> rows, int threads = 0);

  // By channel; 0 for channels of hosts.
  const Table<Channel, std::int64_t>& flows() const { return flows_; }

 private:
  void add(const PlacedTables& tables, std::span<const Destination> rows, std::int64_t sign,
           int threads);

  Table<Channel, std::int64_t> flows_;
};

}  // namespace fatwood
