// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The dependencies between channels of tables on one VL, with the number of rows that have each.
//
// A row has the dependency (a, b) if a switch forwards over channel a to a switch that forwards
// over channel b. Every switch sends to every destination, so any two consecutive entries count.
// With the counts, tables that differ in a few entries have their dependencies by the difference:
// what no row has any more is gone.
//
// Encoding: [port of arrival][port of departure] of each switch, 4 bytes each (ft(48,3): 28 MB).
// Cost: O(destinations * switches) once; a changed entry costs O(ports of its switch).

#include <cstdint>
#include <span>
#include <vector>

#include "routing/tables/placed_tables.hpp"

namespace fatwood {

class DependencyCounts {
 public:
  explicit DependencyCounts(const PlacedTables& now, int threads = 0);

  // The same for other tables, or for a model with other cables, that differ in these rows alone.
  // REQUIRES `before`: what this counts; and switches and ports of one number.
  void change(const PlacedTables& before, const PlacedTables& now,
              std::span<const Destination> rows);

  // By port of departure: rows in which packets that arrive at this port leave by it.
  std::span<const std::uint32_t> after(Switch s, Port arrival) const {
    return std::span(rows_).subspan(slot(index(s), arrival), stride_);
  }

  friend bool operator==(const DependencyCounts&, const DependencyCounts&) = default;

 private:
  std::size_t slot(std::uint32_t s, Port arrival) const {
    return (first_[s] + index(arrival)) * stride_;
  }

  std::vector<std::size_t> first_;  // by switch: its port 0
  std::size_t stride_ = 1;
  std::vector<std::uint32_t> rows_;  // [port of arrival][port of departure]
};

}  // namespace fatwood
