// SPDX-License-Identifier: BSD-3-Clause
// Which LIDs of a fabric are kept.

#include "routing/tables/lids.hpp"

#include <gtest/gtest.h>

#include "topology/builder.hpp"

namespace fatwood {
namespace {

// Two hosts on a switch, with these LIDs.
Fabric with_lids(std::uint32_t a, std::uint32_t b, std::uint32_t of_switch) {
  FabricBuilder builder;
  const auto one = builder.add_adapter("a", 1);
  const auto two = builder.add_adapter("b", 1);
  const auto at = builder.add_switch("s", 2);
  builder.connect(one, Port{1}, at, Port{1});
  builder.connect(two, Port{1}, at, Port{2});
  builder.set_address(one, Port{1}, {.guid = 1, .lid = Lid{a}});
  builder.set_address(two, Port{1}, {.guid = 2, .lid = Lid{b}});
  builder.set_address(at, kOwnPort, {.guid = 3, .lid = Lid{of_switch}});
  return builder.build();
}

TEST(Lids, TheLastOneCanBeTaken) {
  const std::uint32_t last = index(kMaxLid);
  EXPECT_TRUE(assign_lids(with_lids(1, 2, last), 0).own);
  EXPECT_TRUE(assign_lids(with_lids(4, last - 1, 1), 1).own);
  EXPECT_FALSE(assign_lids(with_lids(1, 2, last + 1), 0).own);
  EXPECT_FALSE(assign_lids(with_lids(4, last + 1, 1), 1).own);
}

TEST(Lids, OthersAreGivenWhereSomeCollideOrDoNotFitTheLmc) {
  const Fabric equal = with_lids(3, 3, 1);
  EXPECT_EQ(assign_lids(equal, 0).refused, equal.terminal_channel(Terminal{1}));
  const Fabric odd = with_lids(2, 5, 1);
  EXPECT_TRUE(assign_lids(odd, 0).own);
  EXPECT_EQ(assign_lids(odd, 1).refused, odd.terminal_channel(Terminal{1}));
}

}  // namespace
}  // namespace fatwood
