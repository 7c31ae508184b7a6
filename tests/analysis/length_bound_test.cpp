// SPDX-License-Identifier: BSD-3-Clause
// Bounds that lengths of channels prove: never above the optimum, never below the cuts, and found
// again by the check. And what a flow weighs on channels of different speeds.

#include "analysis/bounds/length_bound.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "analysis/bounds/cuts.hpp"
#include "analysis/bounds/oload.hpp"
#include "analysis/load/link_load.hpp"
#include "io/fabric/spec.hpp"
#include "oracle/length_check.hpp"
#include "oracle/worst_lp.hpp"
#include "routing/engine.hpp"
#include "topology/builder.hpp"
#include "topology/change/faults.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {
namespace {

Fabric cut(const char* spec, const char* share, std::uint64_t seed) {
  const Fabric fabric = make_fabric(spec);
  const std::vector<FaultRequest> orders = {{FaultKind::kCut, share, {}}};
  return with_faults(fabric, find_faults(fabric, orders, {seed, Connection::kKept}));
}

TEST(LengthBound, LiesBetweenTheCutsAndTheOptimum) {
  for (const char* spec : {"ft(4,3)", "ft(4,2)", "ring(8)", "torus(3,3)", "xgft(2;4,4;1,3)"}) {
    for (const std::uint64_t seed : {1U, 2U}) {
      const Model model(cut(spec, "10%", seed));
      const std::size_t hosts = model.adapters().size();
      for (const Traffic& traffic : {all_to_all(hosts), random_permutation(hosts, seed),
                                     hotspot_traffic(hosts, Adapter{0})}) {
        SCOPED_TRACE(spec);
        const LengthBound bound = length_bound(model, traffic);
        EXPECT_GE(bound.value, cut_bound(model, traffic));
        const std::optional<LpOload> optimum = lp_oload(model, traffic);
        ASSERT_TRUE(optimum);
        EXPECT_LE(bound.value.value(), optimum->value * (1 + 1e-7));
        EXPECT_GE(bound.value.value(), optimum->value * 0.9);
        EXPECT_TRUE(oracle::proves_bound(model, traffic, bound.length, bound.value));
        EXPECT_FALSE(
            oracle::proves_bound(model, traffic, bound.length, bound.value + Fraction(1, 1000)));
      }
    }
  }
}

TEST(Oload, ProgramOfPathsAgreesWithTheExactOneOfChannels) {
  for (const char* spec : {"ft(4,2)", "ring(5)", "xgft(2;3,4;1,3)"}) {
    for (const std::uint64_t seed : {1U, 2U}) {
      const Model model(cut(spec, "15%", seed));
      const std::size_t hosts = model.adapters().size();
      for (const Traffic& traffic :
           {all_to_all(hosts), random_permutation(hosts, seed), shift_traffic(hosts, 3)}) {
        SCOPED_TRACE(spec);
        const std::optional<Fraction> exact = oracle::least_load_by_lp(model, traffic);
        if (!exact) GTEST_SKIP() << "esolver (qsopt-ex) is not here";
        const std::optional<LpOload> found = lp_oload(model, traffic);
        ASSERT_TRUE(found);
        EXPECT_NEAR(found->value, exact->value(), 1e-7);
        EXPECT_LE(cut_bound(model, traffic), *exact);
      }
    }
  }
}

// Three hosts on switch A, five on B, two cables: all tables, one after another.
TEST(TablesBound, IsMetByTheBestOfAllTables) {
  FabricBuilder builder;
  const auto a = builder.add_switch("A", 7);
  const auto b = builder.add_switch("B", 7);
  for (std::uint32_t port = 1; port <= 3; ++port) {
    builder.connect(builder.add_adapter(fmt::format("H{}", port), 1), Port{1}, a,
                    static_cast<Port>(port));
  }
  for (std::uint32_t port = 1; port <= 5; ++port) {
    builder.connect(builder.add_adapter(fmt::format("J{}", port), 1), Port{1}, b,
                    static_cast<Port>(port));
  }
  for (std::uint32_t port = 6; port <= 7; ++port)
    builder.connect(a, static_cast<Port>(port), b, static_cast<Port>(port));
  const Model model(builder.build());
  std::int64_t least = 1000;
  for (unsigned choice = 0; choice < 256; ++choice) {  // which cable, for each destination
    std::array<std::int64_t, 2> there{};
    std::array<std::int64_t, 2> back{};
    for (unsigned d = 0; d < 3; ++d) back[choice >> d & 1U] += 5;
    for (unsigned d = 3; d < 8; ++d) there[choice >> d & 1U] += 3;
    least = std::min(least, std::max({there[0], there[1], back[0], back[1]}));
  }
  EXPECT_EQ(least, 10);  // the same by chunks of a switch and by chunks of a destination
  EXPECT_EQ(tables_bound(model, all_to_all(8)), Fraction(least));
  EXPECT_EQ(cut_bound(model, all_to_all(8)), Fraction(15, 2));
}

// The same with a host of two ports in B's place of J5: both on B, or one on each switch. All
// tables, one after another; loads in halves, since each port has half of a flow.
TEST(TablesBound, CountsThePortsOfAHostWithSeveral) {
  for (const bool on_both : {false, true}) {
    FabricBuilder builder;
    const auto a = builder.add_switch("A", 8);
    const auto b = builder.add_switch("B", 8);
    for (std::uint32_t port = 1; port <= 3; ++port) {
      builder.connect(builder.add_adapter(fmt::format("H{}", port), 1), Port{1}, a,
                      static_cast<Port>(port));
    }
    for (std::uint32_t port = 1; port <= 4; ++port) {
      builder.connect(builder.add_adapter(fmt::format("J{}", port), 1), Port{1}, b,
                      static_cast<Port>(port));
    }
    const auto two = builder.add_adapter("two", 2);
    builder.connect(two, Port{1}, on_both ? a : b, Port{5});
    builder.connect(two, Port{2}, b, Port{6});
    for (std::uint32_t port = 7; port <= 8; ++port)
      builder.connect(a, static_cast<Port>(port), b, static_cast<Port>(port));
    const Model model(builder.build());
    // What each terminal gets over the cables, in halves: 4 of B, 3 of A, then the two ports.
    const std::vector<std::int64_t> there = on_both ? std::vector<std::int64_t>{7, 7, 7, 7, 3}
                                                    : std::vector<std::int64_t>{6, 6, 6, 6, 3, 3};
    const std::vector<std::int64_t> back =
        on_both ? std::vector<std::int64_t>{9, 9, 9, 4} : std::vector<std::int64_t>{10, 10, 10};
    const auto least = [](const std::vector<std::int64_t>& chunks) {
      std::int64_t best = 1000;
      for (unsigned choice = 0; choice < 1U << chunks.size(); ++choice) {
        std::array<std::int64_t, 2> load{};
        for (std::size_t i = 0; i < chunks.size(); ++i) load[choice >> i & 1U] += chunks[i];
        best = std::min(best, std::max(load[0], load[1]));
      }
      return best;
    };
    const Fraction best(std::max(least(there), least(back)), 2);
    const Traffic traffic = all_to_all(8);
    const Fraction bound = tables_bound(model, traffic);
    EXPECT_LE(bound, best);
    // With one port on each side the chunks are not alike, and the bound is a bound.
    EXPECT_EQ(bound, on_both ? Fraction(8) : best);
    EXPECT_EQ(cut_bound(model, traffic), on_both ? Fraction(7) : Fraction(15, 2));
    const LengthBound proof = length_bound(model, traffic);
    EXPECT_EQ(proof.value, cut_bound(model, traffic));
    EXPECT_TRUE(oracle::proves_bound(model, traffic, proof.length, proof.value));
    EXPECT_FALSE(
        oracle::proves_bound(model, traffic, proof.length, proof.value + Fraction(1, 1000)));
    const auto paths = path_source(model, route(find_engine("even"), model));
    EXPECT_EQ(max_load(link_loads(model, *paths, traffic)), best);
  }
}

// Three hosts under two cables of one switch: it takes one of them for all that a host gets.
TEST(TablesBound, OneSwitchAboveHasOnePortForEachHost) {
  FabricBuilder builder;
  const auto top = builder.add_switch("T", 8);
  std::uint32_t next = 1;
  for (const std::uint32_t hosts : {3U, 2U, 3U}) {
    const auto leaf = builder.add_switch(fmt::format("L{}", next), 8);
    for (std::uint32_t port = 1; port <= hosts; ++port) {
      builder.connect(builder.add_adapter(fmt::format("H{}_{}", next, port), 1), Port{1}, leaf,
                      static_cast<Port>(port));
    }
    for (std::uint32_t port = 7; port <= 8; ++port)
      builder.connect(leaf, static_cast<Port>(port), top, static_cast<Port>(next++));
  }
  const Model model(builder.build());
  EXPECT_EQ(cut_bound(model, all_to_all(8)), Fraction(15, 2));
  EXPECT_EQ(tables_bound(model, all_to_all(8)), Fraction(10));  // 5 to each of 3 hosts
}

TEST(TablesBound, RoundsUpToChunksAndNoTablesAreBelow) {
  const Model whole(make_fabric("pgft(2;18,36;1,17;1,1)"));  // switch648 without a spine
  EXPECT_EQ(cut_bound(whole, all_to_all(648)), Fraction(18 * 630, 17));
  EXPECT_EQ(tables_bound(whole, all_to_all(648)), Fraction(38 * 18));
  // Over two addresses per host chunks are half as large: 74.1 of 9.
  EXPECT_EQ(tables_bound(whole, all_to_all(648), 2), Fraction(75 * 9));
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Model model(cut("ft(6,3)", "10%", seed));
    const std::size_t hosts = model.adapters().size();
    for (const Traffic& traffic : {all_to_all(hosts), random_permutation(hosts, seed)}) {
      const Fraction bound = tables_bound(model, traffic);
      EXPECT_GE(bound, cut_bound(model, traffic));
      for (const char* engine : {"even", "sftree", "minhop"}) {
        const auto paths = path_source(model, route(find_engine(engine), model));
        EXPECT_GE(max_load(link_loads(model, *paths, traffic)), bound) << engine;
      }
    }
  }
}

TEST(LengthBound, NoLengthsProveNothing) {
  const Model model(make_fabric("ft(4,2)"));
  const Table<Channel, std::uint32_t> none(model.fabric().num_channels(), 0);
  EXPECT_EQ(bound_of_lengths(model, all_to_all(model.adapters().size()), none), Fraction(0));
}

// Two switches of four hosts, one cable fast and one slow between them.
Fabric two_speeds() {
  FabricBuilder builder;
  const auto a = builder.add_switch("A", 6);
  const auto b = builder.add_switch("B", 6);
  for (std::uint32_t port = 1; port <= 4; ++port) {
    builder.connect(builder.add_adapter(fmt::format("H{}", port), 1), Port{1}, a,
                    static_cast<Port>(port), {4, Speed::kEdr});
    builder.connect(builder.add_adapter(fmt::format("H{}", port + 4), 1), Port{1}, b,
                    static_cast<Port>(port), {4, Speed::kEdr});
  }
  builder.connect(a, Port{5}, b, Port{5}, {4, Speed::kHdr});
  builder.connect(a, Port{6}, b, Port{6}, {4, Speed::kQdr});
  return builder.build();
}

TEST(ChannelSpeeds, AFlowWeighsMoreOnASlowChannel) {
  const Fabric fabric = two_speeds();
  const ChannelSpeeds speeds(fabric);
  EXPECT_FALSE(speeds.uniform());
  EXPECT_EQ(speeds.usual_gigabits(), 100);
  const auto weight = [&](Channel c) { return Fraction(speeds.weight(c), speeds.weight_of_one()); };
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c)) continue;
    const double gigabit = gigabits(fabric.rate(c));
    EXPECT_EQ(weight(c), Fraction(100, static_cast<std::int64_t>(gigabit)));
  }
  EXPECT_TRUE(ChannelSpeeds(with_equal_speeds(fabric)).uniform());
  EXPECT_TRUE(ChannelSpeeds(make_fabric("ft(4,3)")).uniform());
}

TEST(ChannelSpeeds, BoundsAreOfCapacity) {
  const Model model(two_speeds());
  const Traffic traffic = all_to_all(8);
  // 16 flows each way over 232 Gb/s where a host has 100.
  EXPECT_EQ(cut_bound(model, traffic), std::max(Fraction(7), Fraction(1600, 232)));
  EXPECT_EQ(length_bound(model, traffic).value, Fraction(7));
}

}  // namespace
}  // namespace fatwood
