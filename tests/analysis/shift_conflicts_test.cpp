// SPDX-License-Identifier: BSD-3-Clause
// Conflicts of shifts, against a count flow by flow.

#include "analysis/permutations/shift_conflicts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "io/fabric/spec.hpp"
#include "support/fabrics.hpp"

namespace fatwood {
namespace {

// Of each shift the flows on its channels between switches, one flow at a time.
ShiftConflicts shifts_by_hand(const Fabric& fabric, const ForwardingTables& tables) {
  ShiftConflicts all;
  const auto n = static_cast<std::uint32_t>(fabric.num_terminals());
  std::vector<std::uint64_t> ever(fabric.num_channels());
  for (std::uint32_t k = 1; k < n; ++k) {
    std::vector<std::uint64_t> flows(fabric.num_channels());
    for (std::uint32_t i = 0; i < n; ++i) {
      const Terminal to{(i + k) % n};
      Node at = fabric.node(fabric.leaf(Terminal{i}));
      while (true) {
        const Channel c =
            fabric.channel(at, tables.at(tables.destination(to), fabric.as_switch(at)));
        if (!fabric.is_switch(fabric.neighbour(c))) break;
        ++flows[index(c)];
        at = fabric.neighbour(c);
      }
    }
    const std::uint64_t max_load = *std::ranges::max_element(flows);
    ++all.shifts;
    all.largest = std::max(all.largest, max_load);
    all.all_largest += max_load;
    if (max_load > 1) ++all.conflicted;
    for (std::size_t c = 0; c < flows.size(); ++c) {
      if (flows[c] < 2) continue;
      ++all.conflicts;
      ever[c] = 1;
    }
  }
  all.channels = static_cast<std::uint64_t>(std::ranges::count(ever, 1U));
  return all;
}

TEST(Shift, MoreThanOneBlockOfShifts) {
  const Fabric fabric = make_fabric("xgft(2;24,24;1,12)");  // 576 hosts: 512 shifts and 63
  Routing routing;
  routing.tables = test::shortest_tables(fabric, 5);
  const ShiftConflicts expected = shifts_by_hand(fabric, routing.tables);
  for (const int threads : {1, 3}) {
    const ShiftConflicts found = count_shift_conflicts(Model(fabric), routing, threads);
    EXPECT_EQ(found.shifts, 575U);
    EXPECT_EQ(found.unrouted, 0U);
    EXPECT_EQ(found.conflicts, expected.conflicts);
    EXPECT_EQ(found.conflicted, expected.conflicted);
    EXPECT_EQ(found.channels, expected.channels);
    EXPECT_EQ(found.largest, expected.largest);
    EXPECT_EQ(found.all_largest, expected.all_largest);
    EXPECT_GT(found.mean_largest(), 1);
  }
}

}  // namespace
}  // namespace fatwood
