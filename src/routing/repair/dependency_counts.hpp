// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The dependencies between channels of tables on one VL. For each dependency, the number of rows
// that have it is counted. So when a few rows change, the dependencies of the new tables follow
// from the difference: a dependency whose count drops to 0 is gone.
//
// A row has the dependency (a, b) if a switch forwards over channel a to a switch that forwards
// over channel b. Every switch sends to every destination, so any two consecutive entries count.
//
// Encoding: [port of arrival][port of departure] of each switch, 4 bytes each (ft(48,3): 28 MB).
// Cost: O(destinations * switches) once; a changed entry costs O(ports of its switch).

#include <cstdint>
#include <span>
#include <vector>

#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

class DependencyCounts {
 public:
  explicit DependencyCounts(const PlacedTables& placed, int threads = 0);

  // Updates the counts to the tables `after`, which differ from `before` in these rows only. The
  // cables may differ, too. REQUIRES that this counts `before`, and equally many switches and
  // ports.
  void change(const PlacedTables& before, const PlacedTables& after,
              std::span<const Destination> rows);

  // By port of departure: the number of rows in which packets that arrive at this port leave by it.
  std::span<const std::uint32_t> after(Switch s, Port arrival) const {
    return std::span(rows_).subspan(slot(index(s), arrival), stride_);
  }

  friend bool operator==(const DependencyCounts&, const DependencyCounts&) = default;

 private:
  // The count of the dependency of packets that leave s; nullptr if they cause none.
  std::uint32_t* find(const HopMap& map, std::span<const Port> row, std::uint32_t s) {
    const Hop hop = map.at(s, row[s]);
    if (!hop.to_switch() || !map.at(hop.next(), row[hop.next()]).to_switch()) return nullptr;
    return &rows_[slot(hop.next(), hop.arrival()) + index(row[hop.next()])];
  }
  std::size_t slot(std::uint32_t s, Port arrival) const {
    return (first_[s] + index(arrival)) * stride_;
  }

  std::vector<std::size_t> first_;  // by switch: its port 0
  std::size_t stride_ = 1;
  std::vector<std::uint32_t> rows_;  // [port of arrival][port of departure]
};

}  // namespace fatwood
