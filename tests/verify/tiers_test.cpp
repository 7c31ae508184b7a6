// SPDX-License-Identifier: BSD-3-Clause
// Deadlock by whose packets count: hosts, aggregation nodes inside switches, the switches' own.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "topology/builder.hpp"
#include "verify/verify.hpp"

namespace fatwood {
namespace {

// Six switches in a ring, port 1 clockwise to port 2; hosts on the first `hosts` of them, an
// aggregation node on the first `nodes`.
Fabric ring_with(std::uint32_t hosts, std::uint32_t nodes) {
  constexpr std::uint32_t kSwitches = 6;
  FabricBuilder builder;
  std::vector<FabricBuilder::Handle> at;
  for (std::uint32_t i = 0; i < kSwitches; ++i) {
    at.push_back(builder.add_switch(fmt::format("S{}", i), 4));
  }
  for (std::uint32_t i = 0; i < kSwitches; ++i) {
    builder.connect(at[i], Port{1}, at[(i + 1) % kSwitches], Port{2});
    if (i < hosts)
      builder.connect(builder.add_adapter(fmt::format("H{}", i), 1), Port{1}, at[i], Port{3});
    if (i >= nodes) continue;
    const auto node = builder.add_adapter(fmt::format("A{}", i), 1);
    builder.set_description(node, "Mellanox Technologies Aggregation Node");
    builder.connect(node, Port{1}, at[i], Port{4});
  }
  return builder.build();
}

// Everything goes clockwise.
Routing clockwise(const Fabric& fabric) {
  Routing routing;
  routing.tables = ForwardingTables(fabric.num_terminals(), fabric.num_switches(), 0);
  for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
    std::ranges::fill(routing.tables.row(destination), Port{1});
    if (routing.tables.is_switch(destination)) {
      routing.tables.row(destination)[index(routing.tables.as_switch(destination))] = kOwnPort;
      continue;
    }
    const Channel into = fabric.peer(fabric.terminal_channel(routing.tables.terminal(destination)));
    routing.tables.row(destination)[index(fabric.as_switch(fabric.owner(into)))] =
        fabric.port(into);
  }
  return routing;
}

Verdict evaluate(std::uint32_t hosts, std::uint32_t nodes, Sources sources = Sources::kAll) {
  Model model(ring_with(hosts, nodes));
  return verify(model, clockwise(model.fabric()), {.sources = sources, .threads = 1});
}

TEST(Tiers, HostsOnAllSwitchesCloseTheRingInEveryTier) {
  EXPECT_EQ(evaluate(6, 0).tiers, (DeadlockTiers{false, false, false}));
}

TEST(Tiers, TwoNeighboursDoNotCloseTheRing) {
  const Verdict verdict = evaluate(2, 0);
  EXPECT_EQ(verdict.tiers, (DeadlockTiers{true, true, false}));
  EXPECT_FALSE(verdict.holds());
}

TEST(Tiers, AggregationNodesCloseItWhereHostsDoNot) {
  EXPECT_EQ(evaluate(2, 6).tiers, (DeadlockTiers{true, false, false}));
}

TEST(Tiers, ATierThatIsNotAskedForIsNotTold) {
  EXPECT_EQ(evaluate(2, 6, Sources::kTerminals).tiers, (DeadlockTiers{true, false, std::nullopt}));
  EXPECT_EQ(evaluate(2, 0, Sources::kHosts).tiers,
            (DeadlockTiers{true, std::nullopt, std::nullopt}));
  EXPECT_EQ(evaluate(6, 0, Sources::kHosts).tiers,
            (DeadlockTiers{false, std::nullopt, std::nullopt}));
}

TEST(Tiers, TheCycleIsOfThePacketsAskedFor) {
  Model model(ring_with(6, 6));
  const Deadlock deadlock =
      find_deadlock(model.fabric(), clockwise(model.fabric()), Sources::kHosts, 1);
  ASSERT_FALSE(deadlock.free());
  for (const Dependency& one : deadlock.lanes[0].cycle) {
    ASSERT_FALSE(one.source.is_switch() || one.destination.is_switch());
    EXPECT_EQ(model.aggregation()[one.source.terminal], 0);
    EXPECT_EQ(model.aggregation()[one.destination.terminal], 0);
  }
}

}  // namespace
}  // namespace fatwood
