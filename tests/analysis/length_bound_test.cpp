// SPDX-License-Identifier: BSD-3-Clause
// Bounds that lengths of channels prove: never above the optimum, never below the cuts, and found
// again by the check. And what a flow weighs on channels of different speeds.

#include "analysis/length_bound.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "analysis/length_check.hpp"
#include "analysis/oload.hpp"
#include "topology/builder.hpp"
#include "topology/channel_speeds.hpp"
#include "topology/faults.hpp"
#include "topology/spec.hpp"

namespace fatwood {
namespace {

Fabric cut(const char* spec, const char* share, std::uint64_t seed) {
  const Fabric fabric = make_fabric(spec);
  const std::vector<FaultOrder> orders = {{FaultKind::kCut, share, {}}};
  return with_faults(fabric, find_faults(fabric, orders, {seed, Connection::kKept}));
}

TEST(LengthBound, LiesBetweenTheCutsAndTheOptimum) {
  for (const char* spec : {"ft(4,3)", "ft(4,2)", "ring(8)", "torus(3,3)", "xgft(2;4,4;1,3)"}) {
    for (const std::uint64_t seed : {1U, 2U}) {
      const Model model(cut(spec, "10%", seed));
      const std::size_t hosts = model.hosts().size();
      for (const Traffic& traffic :
           {all_to_all(hosts), random_permutation(hosts, seed), hotspot_traffic(hosts, Host{0})}) {
        SCOPED_TRACE(spec);
        const LengthBound bound = length_bound(model, traffic);
        EXPECT_GE(bound.value, cut_bound(model, traffic));
        const std::optional<double> optimum = lp_oload(model, traffic);
        ASSERT_TRUE(optimum);
        EXPECT_LE(bound.value.value(), *optimum * (1 + 1e-7));
        EXPECT_GE(bound.value.value(), *optimum * 0.9);
        EXPECT_TRUE(proves_bound(model, traffic, bound.length, bound.value));
        EXPECT_FALSE(proves_bound(model, traffic, bound.length, bound.value + Fraction(1, 1000)));
      }
    }
  }
}

TEST(LengthBound, NoLengthsProveNothing) {
  const Model model(make_fabric("ft(4,2)"));
  const Table<Channel, std::uint32_t> none(model.fabric().num_channels(), 0);
  EXPECT_EQ(bound_of_lengths(model, all_to_all(model.hosts().size()), none), Fraction(0));
}

// Two switches of four hosts, one cable fast and one slow between them.
Fabric two_speeds() {
  FabricBuilder builder;
  const auto a = builder.add_switch("A", 6);
  const auto b = builder.add_switch("B", 6);
  for (Port port = 1; port <= 4; ++port) {
    builder.connect(builder.add_adapter(fmt::format("H{}", port), 1), 1, a, port, {4, Speed::kEdr});
    builder.connect(builder.add_adapter(fmt::format("H{}", port + 4), 1), 1, b, port,
                    {4, Speed::kEdr});
  }
  builder.connect(a, 5, b, 5, {4, Speed::kHdr});
  builder.connect(a, 6, b, 6, {4, Speed::kQdr});
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
