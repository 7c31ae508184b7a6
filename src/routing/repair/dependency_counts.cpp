// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/dependency_counts.hpp"

#include <algorithm>
#include <atomic>

#include "core/parallel.hpp"
#include "routing/tables/row_differences.hpp"

namespace fatwood {

DependencyCounts::DependencyCounts(const PlacedTables& placed, int threads) {
  const Fabric& fabric = placed.model.fabric();
  std::size_t slots = 0;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    first_.push_back(slots);
    slots += fabric.ports(fabric.node(s)) + 1;
    stride_ = std::max<std::size_t>(stride_, fabric.ports(fabric.node(s)) + 1);
  }
  rows_.resize(slots * stride_);
  const HopMap& map = placed.model.hop_map();
  // One array for all threads: it is large, and two rarely write the same number.
  parallel_for(
      placed.tables.num_destinations(), threads,
      [&](std::size_t i, int) {
        const auto row = placed.tables.row(static_cast<Destination>(i));
        for (std::uint32_t s = 0; s < row.size(); ++s) {
          std::uint32_t* const rows = find(map, row, s);
          if (rows != nullptr) std::atomic_ref(*rows).fetch_add(1, std::memory_order_relaxed);
        }
      },
      16);
}

void DependencyCounts::change(const PlacedTables& before, const PlacedTables& after,
                              std::span<const Destination> rows) {
  const HopMap& old_map = before.model.hop_map();
  const HopMap& new_map = after.model.hop_map();
  std::vector<std::uint8_t> found(before.tables.num_switches());
  std::vector<std::uint32_t> affected;  // entries whose dependency may be another now
  const auto affect = [&](std::uint32_t s) {
    if (found[s] == 0) affected.push_back(s);
    found[s] = 1;
  };
  for (const Destination destination : rows) {
    const auto old_row = before.tables.row(destination);
    const auto new_row = after.tables.row(destination);
    const auto changes = [&](std::uint32_t s) {
      affect(s);
      // Switches that lead there, by cables of either model.
      for (const Model* model : {&before.model, &after.model}) {
        for (const Switch to : model->port_graph().neighbours(Switch{s})) affect(index(to));
      }
    };
    if (&before.model == &after.model) {
      for_each_difference(old_row, new_row, changes);
    } else {
      for (std::uint32_t s = 0; s < old_row.size(); ++s) {
        const bool same =
            old_row[s] == new_row[s] && old_map.at(s, old_row[s]) == new_map.at(s, new_row[s]);
        if (!same) changes(s);
      }
    }
    for (const std::uint32_t s : affected) {
      if (std::uint32_t* const gone = find(old_map, old_row, s)) --*gone;
      if (std::uint32_t* const now = find(new_map, new_row, s)) ++*now;
      found[s] = 0;
    }
    affected.clear();
  }
}

}  // namespace fatwood
