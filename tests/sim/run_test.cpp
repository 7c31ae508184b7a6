// SPDX-License-Identifier: BSD-3-Clause
// Statistics, lists, traces, sweeps: values known by hand, and the same bytes at any number of
// threads.

#include "sim/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/bytes.hpp"
#include "core/error.hpp"
#include "io/fabric/spec.hpp"
#include "sim/workload/sizes.hpp"
#include "support/input_error.hpp"
#include "support/pretended_share.hpp"

namespace fatwood::sim {
namespace {

TEST(Histogram, PercentilesAreThoseOfTheSortedSample) {
  Random random(4);
  Histogram histogram;
  std::vector<Time> sample;
  double sum = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto value = static_cast<Time>(std::exp(random.uniform() * 14));
    sample.push_back(value);
    sum += static_cast<double>(value);
    histogram.add(value);
  }
  std::sort(sample.begin(), sample.end());
  for (const double q : {0.01, 0.5, 0.95, 0.99, 1.0}) {
    const auto rank = static_cast<std::size_t>(std::ceil(q * 20000)) - 1;
    const auto exact = static_cast<double>(sample[rank]);
    EXPECT_NEAR(histogram.percentile(q), exact, 0.009 * exact) << q;
  }
  EXPECT_DOUBLE_EQ(histogram.mean(), sum / 20000);
  EXPECT_EQ(histogram.most(), sample.back());
}

TEST(Histogram, RanksAreRoundedUp) {
  Histogram histogram;
  for (const Time value : {10, 20, 30}) histogram.add(value);
  EXPECT_EQ(histogram.percentile(0.5), 20);
  EXPECT_EQ(histogram.percentile(0.34), 20);
  EXPECT_EQ(histogram.percentile(0.99), 30);
}

TEST(Meter, FindsTheWarmUp) {
  std::vector<double> series;
  for (int i = 0; i < 100; ++i) series.push_back((i < 20 ? 5.0 * (20 - i) : 0) + 10 + i % 3);
  const std::size_t cut = mser_cut(series);
  EXPECT_GE(cut, 18U);
  EXPECT_LE(cut, 23U);
  // A tenth is left out at least.
  EXPECT_EQ(warm_up_cut(series), cut);
  EXPECT_GE(warm_up_cut(std::vector<double>(100, 1.0)), 10U);
}

TEST(Meter, IntervalsCoverTheMean) {
  // Values that are independent, or keep a share of the last one's deviation. 95% of 400 intervals
  // is 380, give or take 4.
  for (const double keep : {0.0, 0.5, 0.8}) {
    int hits = 0;
    int naive = 0;
    for (std::uint32_t sample = 0; sample < 400; ++sample) {
      Random random(9, sample);
      std::vector<double> series;
      double deviation = 0;
      for (int i = 0; i < 150; ++i) {
        deviation = keep * deviation + random.uniform() - 0.5;
        if (i >= 50) series.push_back(0.5 + deviation);
      }
      const Estimate estimate = plain_mean(series);
      if (std::abs(estimate.mean - 0.5) <= estimate.half) ++hits;
      const Estimate other = independent_batches(series, std::vector<double>(100, 1), 20);
      if (std::abs(other.mean - 0.5) <= other.half) ++naive;
    }
    EXPECT_GE(hits, 372) << keep;
    EXPECT_LT(naive, keep > 0.7 ? 350 : 401) << "the series is no test";
  }
}

TEST(Meter, WeightsCountMessagesNotWindows) {
  const Estimate estimate = weighted_mean({10, 20, 30, 0}, {1, 2, 1, 0});
  EXPECT_DOUBLE_EQ(estimate.mean, 20);
  EXPECT_GT(estimate.half, 0);
  EXPECT_EQ(weighted_mean({}, {}).mean, 0);
  EXPECT_EQ(weighted_mean({1, 2}, {0, 0}).half, 0);
  // Every message took the same time, however many there were.
  EXPECT_EQ(weighted_mean({7, 7, 7}, {1, 50, 2}).half, 0);
}

struct Tree {
  Fabric fabric = make_fabric("kary(4,2)");
  Model model;
  Network net = make_network(fabric, model);
  MadeAlgebraic made = make_algebraic("random:2", *fabric.tree(), 3);
  Routes routes = Routes::by_paths(net, *made.routing);
  Setup setup{net, model, routes, PathChoice::kRandomPerPacket, 7};
};

TEST(Run, SweepsAreTheSameAtAnyNumberOfThreads) {
  const Tree tree;
  OpenTraffic traffic;
  traffic.cycles = 5000;
  const std::vector<double> loads{0.2, 0.5, 0.8, 1.0};
  const auto one = run_sweep(tree.setup, traffic, loads, 1);
  const auto three = run_sweep(tree.setup, traffic, loads, 3);
  const auto shared = run_sweep(tree.setup, traffic, loads, 1, {}, test::pretended_share());
  for (std::size_t i = 0; i < loads.size(); ++i) {
    EXPECT_EQ(one[i].terminals.message.p99, shared[i].terminals.message.p99);
    EXPECT_EQ(one[i].terminals.series.size(), shared[i].terminals.series.size());
    EXPECT_EQ(one[i].use, shared[i].use);
    EXPECT_EQ(one[i].counters.events, shared[i].counters.events);
    EXPECT_EQ(one[i].terminals.offered, loads[i]);
    EXPECT_EQ(one[i].terminals.accepted.mean, three[i].terminals.accepted.mean);
    EXPECT_EQ(one[i].terminals.message.mean, three[i].terminals.message.mean);
    EXPECT_EQ(one[i].terminals.message.p99, three[i].terminals.message.p99);
    EXPECT_EQ(one[i].counters.events, three[i].counters.events);
    EXPECT_EQ(one[i].use, three[i].use);
  }
  EXPECT_NEAR(one[1].terminals.accepted.mean, 0.5, 0.03);
  EXPECT_LT(one[1].terminals.message.p50, one[1].terminals.message.p99);
  EXPECT_LE(one[3].terminals.accepted.mean, 1.0);
}

TEST(Run, ProcessesTellEachOtherHowTablesChanged) {
  const TableSwitch seen{3, 2, Engine::Pair{Endpoint{1}, Endpoint{4}}};
  Point point;
  CollectiveResult result;
  point.switched = result.switched = seen;
  for (const auto& back : {from_bytes<Point>(to_bytes(point)).switched,
                           from_bytes<CollectiveResult>(to_bytes(result)).switched}) {
    ASSERT_TRUE(back);
    EXPECT_EQ(back->discarded, seen.discarded);
    EXPECT_EQ(back->looping, seen.looping);
    EXPECT_EQ(back->first_looping->dest, seen.first_looping->dest);
  }
}

TEST(Run, IntervalsCoverTheLongRun) {
  // Short runs at load 0.6, each with a seed of its own, against one long run.
  const Fabric fabric = make_fabric("kary(4,2)");
  const Model model;
  const Network net = make_network(fabric, model);
  const MadeAlgebraic made = make_algebraic("dmodk", *fabric.tree());
  const Routes routes = Routes::by_paths(net, *made.routing);
  const auto run = [&](std::uint64_t seed, Time cycles) {
    OpenTraffic traffic;
    traffic.cycles = cycles;
    return run_load({net, model, routes, PathChoice::kRoundRobinPerPacket, seed}, traffic, 0.6)
        .terminals;
  };
  const ClassResult truth = run(1, 1'500'000);
  EXPECT_NEAR(truth.accepted.mean, 0.6, 0.002);
  constexpr int kRuns = 200;
  int accepted = 0;
  int latency = 0;
  for (int i = 0; i < kRuns; ++i) {
    const ClassResult one = run(1000 + static_cast<std::uint64_t>(i), 6000);
    if (std::abs(one.accepted.mean - 0.6) <= one.accepted.half) ++accepted;
    if (std::abs(one.message.mean - truth.message.mean) <= one.message.half) ++latency;
    EXPECT_LT(one.accepted.half, 0.1);
    EXPECT_LT(one.message.half, truth.message.mean);
  }
  // 95% is 190; three standard deviations less are 181.
  EXPECT_GE(accepted, 186);
  EXPECT_GE(latency, 186);
}

TEST(Run, SaturationOfAHotSpotIsItsShare) {
  const Tree tree;
  const Traffic hot = hotspot_traffic(16, Adapter{0});
  OpenTraffic traffic;
  traffic.matrix = &hot;
  traffic.cycles = 20000;
  // Fifteen senders share one link.
  const Saturation found = find_saturation(tree.setup, traffic, 0.01, 2);
  EXPECT_NEAR(found.peak, 1.0 / 15, 0.001);
  EXPECT_NEAR(found.load, 1.0 / 15, 0.02);
  EXPECT_NEAR(found.accepted, found.load, 0.003);
  // On a grid: 0.06 is the last below a fifteenth.
  const auto points = run_sweep(tree.setup, traffic, {0.02, 0.04, 0.06, 0.08, 0.3}, 2);
  const auto grid = saturation_on_grid(points);
  ASSERT_TRUE(grid.has_value());
  EXPECT_EQ(grid->load, 0.06);
  EXPECT_EQ(grid->accepted, points[2].terminals.accepted.mean);
  EXPECT_NEAR(grid->peak, 1.0 / 15, 0.001);
  EXPECT_TRUE(keeps_up(points[2]));
  EXPECT_FALSE(keeps_up(points[3]));
  EXPECT_FALSE(saturation_on_grid({points[0], points[1]}).has_value());
  EXPECT_FALSE(saturation_on_grid({points[3], points[4]}).has_value());
}

TEST(Run, CreatedIsCountedInTheTimeOfAccepted) {
  // A network that keeps up accepts, to a few messages, what was created meanwhile; a run as short
  // as this one draws several percent more or less than the load says.
  const Tree tree;
  OpenTraffic traffic;
  traffic.cycles = 5000;
  double most = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    sim::Setup setup = tree.setup;
    setup.seed = seed;
    const ClassResult result = run_load(setup, traffic, 0.3).terminals;
    EXPECT_NEAR(result.accepted.mean, result.created, 0.003);
    most = std::max(most, std::abs(result.created - 0.3));
  }
  EXPECT_GT(most, 0.006);
}

TEST(Run, BarriersWaitForTheLastAndListsDoNot) {
  const Tree tree;
  // Stage 0: 0 sends much, 1 little. Stage 1: both send. In step, 1 waits for 0.
  MessageLists lists(tree.net.endpoints());
  lists[0] = {{0, 5000, 2, 0, 0}, {0, 100, 2, 1, 0}};
  lists[1] = {{0, 100, 3, 0, 0}, {0, 5000, 3, 1, 0}};
  const auto free = run_lists(tree.setup, lists, Pace::kAfterSent);
  const auto step = run_lists(tree.setup, lists, Pace::kBarrier);
  EXPECT_NEAR(static_cast<double>(free.finish_cycles), 5100, 50);
  EXPECT_NEAR(static_cast<double>(step.finish_cycles), 10000, 100);
  EXPECT_EQ(free.counters.messages_delivered, 4U);
}

TEST(Trace, MessagesStartAtTheirTime) {
  const Tree tree;
  std::istringstream in("# a trace\n100.0 H0 H5 64\n 50 H1 6 1k # later line, earlier time\n");
  const MessageLists lists =
      parse_trace(in, "t", fatwood::Model(tree.fabric), tree.net, tree.model);
  ASSERT_EQ(lists[0].size(), 1U);
  EXPECT_EQ(lists[0][0].dest, 5U);
  EXPECT_EQ(lists[0][0].flits, 1U);
  EXPECT_EQ(lists[1][0].flits, 16U);
  // 64 bytes at 32 Gb/s: a cycle is 16 ns.
  EXPECT_EQ(lists[0][0].created, 6);
  const auto result = run_lists(tree.setup, lists, Pace::kAtTime);
  EXPECT_EQ(result.counters.messages_delivered, 2U);
}

TEST(Trace, WhatIsWrongIsNamed) {
  const Tree tree;
  const auto message = [&](const char* text) -> std::string {
    std::istringstream in(text);
    return test::input_error_of(
        [&] { parse_trace(in, "t", fatwood::Model(tree.fabric), tree.net, tree.model); });
  };
  EXPECT_TRUE(message("0 H0 nobody 64\n").starts_with("t:1:"));
  EXPECT_TRUE(message("0 H0 H1 64\n0 H2 H2 64\n").starts_with("t:2:"));
  EXPECT_TRUE(message("soon H0 H1 64\n").starts_with("t:1:"));
  EXPECT_TRUE(message("0 H0 H1\n").starts_with("t:1:"));
  EXPECT_TRUE(message("0 H0 H1 0\n").starts_with("t:1:"));
  EXPECT_TRUE(message("0 switch:none H1 64\n").starts_with("t:1:"));
  EXPECT_EQ(message("0 switch:S1_0 switch:S2_0 64\n"), "no error");
  EXPECT_TRUE(message("# nothing\n").starts_with("t:"));
}

TEST(Sizes, AsPeopleTypeThem) {
  EXPECT_EQ(parse_bytes("4k"), 4096U);
  EXPECT_EQ(parse_bytes("1024G"), std::uint64_t{1} << 40);
  EXPECT_EQ(parse_byte_range("4k:16k"), (std::vector<std::uint64_t>{4096, 8192, 16384}));
  EXPECT_EQ(parse_byte_range("1M"), std::vector<std::uint64_t>{1048576});
  EXPECT_EQ(parse_loads("0.1:0.3:0.1"), (std::vector<double>{0.1, 0.2, 0.3}));
  EXPECT_EQ(parse_loads("0.1:1.0:0.05").size(), 19U);
  for (const char* bad : {"", "0", "1.1", "0.5:0.1:0.1", "0.1:0.2", "x", "0.1:0.9:0", "nan"}) {
    EXPECT_THROW(parse_loads(bad), InputError) << bad;
  }
  for (const char* bad : {"", "0", "4q", "-1", "k", "99999999999G", "1025G"}) {
    EXPECT_THROW(parse_bytes(bad), InputError) << bad;
  }
  EXPECT_THROW(parse_byte_range("16k:4k"), InputError);
}

}  // namespace
}  // namespace fatwood::sim
