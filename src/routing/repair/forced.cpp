// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/forced.hpp"

#include <algorithm>

#include "core/parallel.hpp"

namespace fatwood {

namespace {

// The number of destinations of each port of a switch, counted when the switch is first used.
class PortUse {
 public:
  explicit PortUse(const ForwardingTables& tables) : tables_(tables), of_(tables.num_switches()) {}

  Port least_used(Switch s, std::span<const Port> ports) {
    std::vector<std::uint32_t>& use = of(s);
    return *std::ranges::min_element(ports, {}, [&](Port port) { return use[index(port)]; });
  }
  void move(Switch s, Port from, Port to) {
    std::vector<std::uint32_t>& use = of(s);
    --use[index(from)];
    ++use[index(to)];
  }

 private:
  std::vector<std::uint32_t>& of(Switch s) {
    std::vector<std::uint32_t>& use = of_[index(s)];
    if (use.empty()) {
      use.resize(256);
      for (const Destination destination : ids<Destination>(tables_.num_destinations()))
        ++use[index(tables_.at(destination, s))];
    }
    return use;
  }

  const ForwardingTables& tables_;
  std::vector<std::vector<std::uint32_t>> of_;
};

}  // namespace

std::vector<std::uint8_t> settled_rows(const Model& model, const ForwardingTables& tables,
                                       int threads) {
  std::vector<std::uint8_t> settled(tables.num_destinations(), 0);
  if (!model.levels().is_tree()) return settled;
  std::ranges::fill(settled, 1);
  const Repaired repaired = keep_what_can_stay(model, tables, threads);
  for (const TableEntry& entry : repaired.forced) settled[index(entry.destination)] = 0;
  for (const TableEntry& entry : repaired.dropped) settled[index(entry.destination)] = 0;
  return settled;
}

Repaired keep_what_can_stay(const Model& model, const ForwardingTables& old, int threads,
                            std::span<const std::uint8_t> settled) {
  require_tree(model.levels(), "repair");
  const std::vector<Switch> ascending = by_level(model.levels());
  std::vector<RowChange> changes(old.num_destinations());
  parallel_with(
      RowRepair(model, old, ascending), old.num_destinations(), threads,
      [&](std::size_t i, RowRepair& row) {
        if (!settled.empty() && settled[i] != 0) return;
        changes[i] = row.repair(static_cast<Destination>(i));
      },
      16);
  Repaired result{old, {}, {}};
  PortUse use(old);
  for (RowChange& change : changes) {
    std::ranges::sort(change.forced, {}, [](const ForcedEntry& f) { return index(f.entry.at); });
    for (const ForcedEntry& forced : change.forced) {
      const auto [destination, s] = forced.entry;
      const Port port = use.least_used(s, forced.ports);
      use.move(s, old.at(destination, s), port);
      result.tables.row(destination)[index(s)] = port;
      result.forced.push_back(forced.entry);
    }
    for (const TableEntry& entry : change.dropped) {
      result.tables.row(entry.destination)[index(entry.at)] = kNoRoute;
      result.dropped.push_back(entry);
    }
  }
  return result;
}

}  // namespace fatwood
