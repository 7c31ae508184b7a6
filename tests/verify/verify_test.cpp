// SPDX-License-Identifier: BSD-3-Clause
// Verdicts on fabrics small enough to see through.

#include "verify/verify.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"
#include "io/fabric/spec.hpp"
#include "oracle/walker.hpp"
#include "routing/engine.hpp"
#include "support/fabrics.hpp"
#include "support/small_fabrics.hpp"
#include "topology/generate/tree.hpp"
#include "verify/reach/hops.hpp"

namespace fatwood {
namespace {

Routing by_tables(ForwardingTables tables) {
  Routing routing;
  routing.engine = "test";
  routing.tables = std::move(tables);
  return routing;
}

// All packets go round to the right.
Routing clockwise(const Fabric& fabric) {
  ForwardingTables tables(fabric.num_terminals(), fabric.num_switches(), 0);
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    std::ranges::fill(tables.row(destination), Port{1});
  }
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    tables.row(tables.destination(t))[index(fabric.leaf(t))] = fabric.leaf_port(t);
  }
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    tables.row(tables.destination(s))[index(s)] = kOwnPort;
  }
  return by_tables(tables);
}

TEST(Deadlock, TheShortestCycleOfAllLanesIsShown) {
  Deadlock found;
  EXPECT_TRUE(found.free());
  found.lanes.resize(4);
  EXPECT_TRUE(found.free());
  found.lanes[3].cycle.resize(4);
  EXPECT_FALSE(found.free());
  EXPECT_EQ(found.cyclic_lane(), 3U);
  found.lanes[1].cycle.resize(4);
  EXPECT_EQ(found.cyclic_lane(), 1U);  // the lowest of equals
  found.lanes[2].cycle.resize(3);
  EXPECT_EQ(found.cyclic_lane(), 2U);
}

TEST(Verify, RingClockwiseReachesAllAndDeadlocks) {
  const Fabric fabric = test::ring(5);
  const Verdict verdict = verify(Model(fabric), clockwise(fabric));
  EXPECT_TRUE(verdict.reachability.whole());
  EXPECT_EQ(verdict.reachability.pairs, (PairCounts{20, 25, 25, 20}));
  EXPECT_EQ(verdict.hops.terminals.longest(), 4U);
  EXPECT_DOUBLE_EQ(verdict.hops.terminals.mean(), 2.5);
  EXPECT_EQ(verdict.hops.terminals.pairs, (std::vector<std::uint64_t>{0, 5, 5, 5, 5}));
  ASSERT_FALSE(verdict.deadlock.free());
  ASSERT_EQ(verdict.deadlock.lanes.size(), 1U);
  const std::vector<Dependency>& cycle = verdict.deadlock.lanes[0].cycle;
  ASSERT_EQ(cycle.size(), 5U);
  for (const Dependency& one : cycle) {
    EXPECT_FALSE(one.source.is_switch());
    EXPECT_FALSE(one.destination.is_switch());
  }
  EXPECT_FALSE(verdict.holds());
}

// A path that does not go through switch 0 takes lane 0, else one not through switch 2 lane 1:
// each lane's circle has a gap, and what goes through both is one path only.
TEST(Verify, LanesBreakTheRing) {
  const Fabric fabric = test::ring(5);
  Routing routing = clockwise(fabric);
  routing.lanes = {.count = 3, .row_of = {}, .lane = {}, .switches = 5};
  for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
    const std::uint32_t to = index(switch_of(fabric, endpoint(routing.tables, destination)));
    routing.lanes.row_of.push_back(index(destination));
    for (std::uint32_t s = 0; s < 5; ++s) {
      bool through[5] = {};
      for (std::uint32_t x = s; x != to; x = (x + 1) % 5) through[x] = x != s;
      routing.lanes.lane.push_back(!through[0] ? 0 : !through[2] ? 1 : 2);
    }
  }
  const Verdict verdict = verify(Model(fabric), routing);
  EXPECT_TRUE(verdict.holds());
  ASSERT_EQ(verdict.deadlock.lanes.size(), 3U);
  for (const LaneVerdict& lane : verdict.deadlock.lanes) {
    EXPECT_EQ(lane.order.size(), 20U);
    EXPECT_TRUE(lane.cycle.empty());
  }
}

TEST(Verify, ShortestPathsOnATwoLevelTreeHold) {
  const Fabric fabric = make_fabric("xgft(2;4,8;1,1)");
  const Verdict verdict = verify(Model(fabric), by_tables(test::shortest_tables(fabric, 1)));
  EXPECT_TRUE(verdict.holds());
  EXPECT_EQ(verdict.hops.terminals.longest(), 2U);
}

TEST(Verify, OnlyTerminalsCanBeAskedFor) {
  // On FT(4,2) hosts turn at spines only; a spine's own packets to another spine turn at a leaf.
  const Fabric fabric = make_fabric("ft(4,2)");
  bool differs = false;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Routing routing = by_tables(test::shortest_tables(fabric, seed));
    const bool all = find_deadlock(fabric, routing).free();
    const bool terminals = find_deadlock(fabric, routing, Sources::kTerminals).free();
    EXPECT_TRUE(terminals);
    differs = differs || all != terminals;
  }
  EXPECT_TRUE(differs);
}

TEST(Verify, LoopIsNamed) {
  const Fabric fabric = test::ring(4);
  Routing routing = clockwise(fabric);
  const Destination destination = routing.tables.destination(Terminal{2});
  routing.tables.row(destination)[0] = Port{1};
  routing.tables.row(destination)[1] = Port{2};  // back to switch 0
  const Verdict verdict = verify(Model(fabric), routing);
  EXPECT_EQ(verdict.reachability.loops, 1U);
  ASSERT_TRUE(verdict.reachability.first_loop);
  EXPECT_EQ(verdict.reachability.first_loop->destination, destination);
  EXPECT_EQ(verdict.reachability.first_loop->switches.size(), 2U);
  // Terminals and switches 0, 1 and 3 do not reach terminal 2.
  EXPECT_EQ(verdict.reachability.unreachable, (PairCounts{3, 0, 3, 0}));
  EXPECT_FALSE(verdict.deadlock.free());
}

TEST(Verify, EachWrongEntryIsCounted) {
  const Fabric fabric = make_fabric("ft(4,2)");
  Routing routing = by_tables(test::shortest_tables(fabric, 7));
  ForwardingTables& tables = routing.tables;
  const Switch leaf = fabric.leaf(Terminal{0});
  const auto spoil = [&](Terminal t, Port entry) {
    tables.row(tables.destination(t))[index(leaf)] = entry;
  };
  spoil(Terminal{2}, kNoRoute);
  spoil(Terminal{3}, Port{200});
  spoil(Terminal{4}, kOwnPort);
  spoil(Terminal{5}, tables.at(tables.destination(Terminal{0}), leaf));
  const Reachability found = find_reachability(fabric, routing);
  EXPECT_GE(found.unreachable.terminal_terminal, 8U);
  for (const HopEnd end :
       {HopEnd::kNoEntry, HopEnd::kNoSuchPort, HopEnd::kAdapter, HopEnd::kItself}) {
    EXPECT_EQ(found.faults[static_cast<std::size_t>(end)].entries, 1U);
    EXPECT_EQ(found.faults[static_cast<std::size_t>(end)].first_switch, leaf);
  }
  EXPECT_EQ(found.faults[static_cast<std::size_t>(HopEnd::kNoCable)].entries, 0U);
  ASSERT_TRUE(found.first_lost);
  EXPECT_EQ(found.first_lost->source, endpoint(Terminal{0}));
  EXPECT_EQ(found.first_lost->destination, endpoint(Terminal{2}));
}

// By tables and by source routes, where terminals share a switch.
TEST(Verify, HopsAreCountedOfEveryPairOnce) {
  const Model model(make_fabric("ft(4,2)"));
  const Fabric& fabric = model.fabric();
  const std::uint64_t terminals = fabric.num_terminals();
  const std::uint64_t all = terminals + fabric.num_switches();
  for (const char* const engine : {"updn+", "bfot"}) {
    const Routing routing = route(find_engine(engine), model);
    const HopCounts hops = find_reachability(fabric, routing).hops;
    EXPECT_EQ(hops.terminals.total(), terminals * (terminals - 1)) << engine;
    EXPECT_EQ(hops.all.total(), all * (all - 1)) << engine;
  }
}

TEST(Verify, AnEntryToAPortWithoutACableIsCountedAsThat) {
  const Fabric fabric = test::small_fabric("ft(4,2)-1");
  Routing routing = by_tables(test::shortest_tables(fabric, 7));
  std::size_t spoilt = 0;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    for (const Channel c : fabric.channels(fabric.node(s))) {
      if (fabric.connected(c)) continue;
      const Terminal far = fabric.leaf(Terminal{0}) == s ? Terminal{7} : Terminal{0};
      routing.tables.row(routing.tables.destination(far))[index(s)] = fabric.port(c);
      ++spoilt;
    }
  }
  ASSERT_EQ(spoilt, 2U);
  const Reachability found = find_reachability(fabric, routing);
  EXPECT_EQ(found.faults[static_cast<std::size_t>(HopEnd::kNoCable)].entries, 2U);
  EXPECT_EQ(found.faults[static_cast<std::size_t>(HopEnd::kNoSuchPort)].entries, 0U);
}

TEST(Reachability, PairsThatNoCablesJoinAreApart) {
  const Fabric fabric = test::ring(3);
  const Reachability whole = find_reachability(fabric, clockwise(fabric));
  EXPECT_EQ(whole.disconnected, PairCounts{});
  Routing nothing = clockwise(fabric);
  for (const Destination destination : ids<Destination>(nothing.tables.num_destinations())) {
    std::ranges::fill(nothing.tables.row(destination), kNoRoute);
  }
  const Reachability lost = find_reachability(fabric, nothing);
  EXPECT_EQ(lost.disconnected, PairCounts{});
  EXPECT_EQ(lost.lost(), lost.unreachable);
  EXPECT_EQ(lost.lost(), (PairCounts{6, 9, 9, 6}));
}

TEST(Verify, TablesOfAnotherFabricAreRefused) {
  const Fabric fabric = make_fabric("ft(4,2)");
  const Fabric other = make_fabric("ft(4,3)");
  EXPECT_THROW(verify(Model(fabric), by_tables(test::shortest_tables(other, 1))), InputError);
  EXPECT_THROW(verify(Model(fabric), Routing{}), InputError);
}

TEST(Verify, SameAtAnyNumberOfThreads) {
  const Fabric fabric = make_fabric("ft(8,3)");
  const Routing routing = by_tables(test::corrupt(test::shortest_tables(fabric, 3), 3, 1e-3));
  const Verdict one = verify(Model(fabric), routing, {.threads = 1});
  const Verdict four = verify(Model(fabric), routing, {.threads = 4});
  EXPECT_EQ(one.reachability.unreachable, four.reachability.unreachable);
  EXPECT_EQ(one.reachability.loops, four.reachability.loops);
  EXPECT_EQ(one.hops.all.pairs, four.hops.all.pairs);
  ASSERT_EQ(one.deadlock.free(), four.deadlock.free());
  const auto& a = one.deadlock.lanes[0].cycle;
  const auto& b = four.deadlock.lanes[0].cycle;
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].channel, b[i].channel);
    EXPECT_EQ(a[i].source, b[i].source);
    EXPECT_EQ(a[i].destination, b[i].destination);
  }
}

}  // namespace
}  // namespace fatwood
