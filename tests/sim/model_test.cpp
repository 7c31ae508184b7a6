// SPDX-License-Identifier: BSD-3-Clause
// What arithmetic says, and closed answers: idle latency, M/D/1, a hot spot, a saturated ring,
// shares of lanes, limits of adapters.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "sim/run.hpp"
#include "support/fabrics.hpp"
#include "topology/builder.hpp"

namespace fatwood::sim {
namespace {

struct Log : Observer {
  std::vector<Delivery> all;
  void delivered(const Delivery& d) override { all.push_back(d); }
};

struct Bench {
  Fabric fabric;
  Model model;
  Network net;
  Routing routing;
  Routes routes;
  Bench(Fabric f, const Model& m, const char* engine = "minhop")
      : fabric(std::move(f)),
        model(m),
        net(make_network(fabric, model)),
        routing(find_engine(engine).route(fatwood::Model(fabric), {})),
        routes(Routes::by_tables(net, routing)) {}
  Setup setup(std::uint64_t seed = 1) const {
    return {net, model, routes, PathChoice::kRoundRobinPerPacket, seed};
  }
};

// Hosts on one switch.
Fabric star(std::uint32_t hosts) {
  FabricBuilder builder;
  const auto sw = builder.add_switch("S", hosts);
  for (std::uint32_t i = 0; i < hosts; ++i) {
    builder.connect(builder.add_adapter(fmt::format("H{}", i), 1), Port{1}, sw,
                    static_cast<Port>(i + 1));
  }
  return builder.build();
}

TEST(Model, OnePacketOverAnyPathTakesWhatArithmeticSays) {
  for (const char* spec : {"kary(2,4)", "ring(6)", "torus(3,3)", "switch648"}) {
    for (const std::uint32_t speedup : {0U, 1U, 2U}) {
      Model model;
      model.packet_flits = 7;
      model.link_latency = 3;
      model.switch_latency = 5;
      model.crossbar_speedup = speedup;
      Bench bench(make_fabric(spec), model);
      const auto n = static_cast<std::uint32_t>(bench.net.terminals);
      for (std::uint32_t d = 1; d < n; d += std::max(1U, n / 20)) {
        // Channels of the path, walked by hand.
        std::size_t channels = 1;
        Channel c = bench.fabric.terminal_channel(Terminal{0});
        while (bench.fabric.is_switch(bench.fabric.neighbour(c))) {
          const Node at = bench.fabric.neighbour(c);
          const Destination destination =
              bench.routing.tables.destination(static_cast<Terminal>(d));
          c = bench.fabric.channel(
              at, bench.routing.tables.at(destination, bench.fabric.as_switch(at)));
          ++channels;
        }
        MessageLists lists(bench.net.endpoints());
        lists[0].push_back({0, 7, d, 0, 0});
        Lists workload(bench.net, lists, Pace::kAtTime);
        Log log;
        Engine engine(bench.net, bench.model, bench.routes, PathChoice::kRandomPerPacket, 1,
                      workload, log);
        engine.run(100000);
        ASSERT_EQ(log.all.size(), 1U);
        // Each link: a flit's time and the latency; each switch: its latency and the crossbar's
        // flit time; then the other six flits of the packet.
        const Time cycle = bench.net.cycle;
        const auto k = static_cast<Time>(channels);
        const Time crossbar = speedup == 0 ? 0 : cycle / speedup;
        EXPECT_EQ(log.all[0].delivered,
                  k * (1 + 3) * cycle + (k - 1) * (5 * cycle + crossbar) + 6 * cycle)
            << spec << " to " << d << " speed-up " << speedup;
      }
    }
  }
}

TEST(Model, ASingleLinkIsAnMD1Queue) {
  // Two hosts on a switch: the source's link is the server. Mean wait rho/(2(1-rho)) services.
  for (const double load : {0.3, 0.6, 0.8}) {
    Bench bench(star(2), Model{});
    Traffic one{.adapters = 2, .units_in_one = 1, .flows = {{Adapter{0}, Adapter{1}, 1}}};
    OpenTraffic traffic;
    traffic.matrix = &one;
    traffic.cycles = 3'000'000;
    const Point point = run_load(bench.setup(), traffic, load);
    const double service = 10;
    const double idle = 2 + 9;  // two links' head, then the tail
    const double wait = load / (2 * (1 - load)) * service;
    EXPECT_NEAR(point.terminals.message.mean, idle + wait - 0.5, 0.04 * (idle + wait)) << load;
    EXPECT_NEAR(point.terminals.accepted.mean, load, 0.01);
  }
}

TEST(Model, ReceiversWithoutLimitTakeInAllAtOnce) {
  for (const Queueing queueing : {Queueing::kByOutput, Queueing::kFifo}) {
    for (const std::uint32_t speedup : {0U, 1U}) {
      Model model;
      model.queueing = queueing;
      model.receivers = Receivers::kUnlimited;
      model.crossbar_speedup = speedup;
      model.terminal_speed = 20000;  // holds senders to 20 of 32 Gb/s, and not receivers
      Bench bench(star(5), model);
      MessageLists lists(bench.net.endpoints());
      for (std::uint32_t s = 1; s < 5; ++s) lists[s].push_back({0, 100000, 0, 0, 0});
      const CollectiveResult result = run_lists(bench.setup(), lists, Pace::kAfterSent);
      EXPECT_NEAR(static_cast<double>(result.finish_cycles), 100000 * 1.6, 30);
      EXPECT_NEAR(result.slowest, 1, 0.001);
      EXPECT_EQ(result.counters.flits_delivered, 400000U);
    }
  }
}

TEST(Model, UseOfTheLinkToAReceiverWithoutLimitMayPassOne) {
  Model model;
  model.receivers = Receivers::kUnlimited;
  Bench bench(star(5), model);
  const Traffic hot = hotspot_traffic(5, Adapter{0});
  OpenTraffic traffic;
  traffic.matrix = &hot;
  const Point point = run_load(bench.setup(), traffic, 0.5);
  const auto link = index(bench.fabric.peer(bench.fabric.terminal_channel(Terminal{0})));
  EXPECT_NEAR(point.use[link], 4 * 0.5, 0.1);
  EXPECT_NEAR(point.terminals.accepted.mean, 0.5, 0.02);
}

TEST(Model, FourToOneSharesTheLinkEvenly) {
  for (const Queueing queueing : {Queueing::kByOutput, Queueing::kFifo}) {
    for (const std::uint32_t speedup : {0U, 1U}) {
      Model model;
      model.queueing = queueing;
      model.crossbar_speedup = speedup;
      Bench bench(star(5), model);
      MessageLists lists(bench.net.endpoints());
      for (std::uint32_t s = 1; s < 5; ++s) lists[s].push_back({0, 100000, 0, 0, 0});
      const CollectiveResult result = run_lists(bench.setup(), lists, Pace::kAfterSent);
      // The hot link is busy from the first flit to the last.
      EXPECT_NEAR(static_cast<double>(result.finish_cycles), 400000, 20);
      EXPECT_NEAR(result.slowest, 0.25, 0.001);
      EXPECT_NEAR(result.bandwidth, 0.25, 0.001);
    }
  }
}

TEST(Model, ASaturatedRingGivesEachPairItsShareOfAChannel) {
  // i sends to i+2 the same way round: every channel between switches carries two flows.
  const std::uint32_t n = 8;
  Bench bench(make_fabric("ring(8)"), Model{}, "minhop");
  ASSERT_EQ(bench.net.terminals, n);
  MessageLists lists(bench.net.endpoints());
  for (std::uint32_t s = 0; s < n; ++s) lists[s].push_back({0, 20000, (s + 1) % n, 0, 0});
  const CollectiveResult one = run_lists(bench.setup(), lists, Pace::kAfterSent);
  EXPECT_NEAR(one.bandwidth, 1.0, 0.001);  // neighbours: nothing shared
  // Two lanes by a dateline keep the two-hop ring from deadlock; throughput is then one half.
  Model model;
  model.lanes = 2;
  Bench two(make_fabric("ring(8)"), model, "minhop");
  two.routing.lanes.count = 2;
  two.routing.lanes.switches = n;
  for (std::uint32_t t = 0; t < two.routing.tables.num_destinations(); ++t) {
    two.routing.lanes.row_of.push_back(t);
    for (std::uint32_t s = 0; s < n; ++s) {
      two.routing.lanes.lane.push_back(t < n && s % 2 == 0 ? 1 : 0);
    }
  }
  const Routes routes = Routes::by_tables(two.net, two.routing);
  MessageLists far(two.net.endpoints());
  for (std::uint32_t s = 0; s < n; ++s) far[s].push_back({0, 20000, (s + 2) % n, 0, 0});
  const CollectiveResult half = run_lists(
      {two.net, two.model, routes, PathChoice::kRoundRobinPerPacket, 1}, far, Pace::kAfterSent);
  ASSERT_FALSE(half.deadlock.has_value());
  EXPECT_NEAR(half.overall, 0.5, 0.01);
}

// Two hosts send over one link to two others, in two lanes.
CollectiveResult two_lanes(const std::vector<LaneShare>& shares, std::uint32_t high_limit) {
  FabricBuilder builder;
  const auto a = builder.add_switch("A", 3);
  const auto b = builder.add_switch("B", 3);
  for (std::uint32_t i = 0; i < 4; ++i) {
    builder.connect(builder.add_adapter(fmt::format("H{}", i), 1), Port{1}, i < 2 ? a : b,
                    static_cast<Port>(i % 2 + 1));
  }
  builder.connect(a, Port{3}, b, Port{3});
  Model model;
  model.lanes = 2;
  model.shares = shares;
  model.high_limit = high_limit;
  const Bench bench(builder.build(), model);
  MessageLists lists(bench.net.endpoints());
  lists[0].push_back({0, 60000, 2, 0, 0});
  lists[1].push_back({0, 60000, 3, 0, 1});
  return run_lists(bench.setup(), lists, Pace::kAfterSent);
}

TEST(Model, LanesShareALinkByWeight) {
  // The slower one takes the whole time; the faster one 60000 flits at its share.
  const CollectiveResult even = two_lanes({{Priority::kLow, 10}, {Priority::kLow, 10}}, 0);
  EXPECT_NEAR(even.bandwidth, 0.5, 0.001);
  const CollectiveResult uneven = two_lanes({{Priority::kLow, 30}, {Priority::kLow, 10}}, 0);
  EXPECT_NEAR(uneven.slowest, 0.5, 0.001);
  EXPECT_NEAR(2 * uneven.bandwidth - uneven.slowest, 0.75, 0.001);
  const CollectiveResult strict = two_lanes({{Priority::kLow, 10}, {Priority::kHigh, 10}}, 0);
  EXPECT_NEAR(2 * strict.bandwidth - strict.slowest, 1.0, 0.001);
  const CollectiveResult limited = two_lanes({{Priority::kLow, 10}, {Priority::kHigh, 10}}, 40);
  EXPECT_NEAR(2 * limited.bandwidth - limited.slowest, 0.8, 0.002);
}

TEST(Model, AdaptersLimitWhatAHostSendsAndTakes) {
  Model model;
  model.link_speed = 32000;
  model.terminal_speed = 26000;
  Bench bench(star(3), model);
  MessageLists lists(bench.net.endpoints());
  lists[0].push_back({0, 26000, 1, 0, 0});
  const CollectiveResult one = run_lists(bench.setup(), lists, Pace::kAfterSent);
  EXPECT_NEAR(static_cast<double>(one.finish_cycles), 32000, 50);
  EXPECT_NEAR(one.bandwidth, 1.0, 0.002);
  // Two to one: the receiver's adapter is the bottleneck.
  lists[2].push_back({0, 26000, 1, 0, 0});
  const CollectiveResult two = run_lists(bench.setup(), lists, Pace::kAfterSent);
  EXPECT_NEAR(static_cast<double>(two.finish_cycles), 64000, 100);
}

TEST(Model, Port0HasASpeedOfItsOwn) {
  Model model;
  model.link_speed = 20000;
  model.port0_speed = 2500;
  Bench bench(make_fabric("kary(2,2)"), model, "updn+");
  MessageLists lists(bench.net.endpoints());
  const auto first = static_cast<std::uint32_t>(bench.net.terminals);
  lists[first].push_back({0, 1000, first + 1, 0, 0});
  const CollectiveResult result = run_lists(bench.setup(), lists, Pace::kAfterSent);
  EXPECT_NEAR(static_cast<double>(result.finish_cycles), 8000, 100);
}

// A cable of its own latency: the message comes that much later, and another as before.
TEST(Model, CablesHaveLatenciesOfTheirOwn) {
  const Fabric fabric = make_fabric("kary(2,2)");
  Model model;
  model.latencies = Table<Channel, std::uint32_t>(fabric.num_channels(), 0);
  const auto cycles = [&](std::uint32_t source) {
    Bench bench(fabric, model, "updn+");
    MessageLists lists(bench.net.endpoints());
    lists[source].push_back({0, 10, source ^ 1U, 0, 0});
    return run_lists(bench.setup(), lists, Pace::kAfterSent).finish_cycles;
  };
  const auto near = cycles(0);
  model.latencies[fabric.terminal_channel(Terminal{0})] = 500;
  EXPECT_EQ(cycles(0), near + 500);
  EXPECT_EQ(cycles(2), near);
}

TEST(Model, AdaptiveChoiceSpreadsOverUpPorts) {
  // Two leaf switches, two spines; both hosts of a leaf send to the other leaf. Under d-mod-k
  // hosts 0 and 1 to hosts 2 and 4 would share a spine where the two destinations are alike mod 2.
  const Fabric fabric = make_fabric("kary(2,3)");
  const Model model;
  const Network net = make_network(fabric, model);
  MessageLists lists(net.endpoints());
  lists[0].push_back({0, 20000, 4, 0, 0});
  lists[1].push_back({0, 20000, 6, 0, 0});
  const auto dmodk = make_algebraic("dmodk", *fabric.tree());
  const Routes fixed = Routes::by_paths(net, *dmodk.routing);
  const Routes adaptive = Routes::adaptive(net);
  const auto run = [&](const Routes& routes) {
    return run_lists({net, model, routes, PathChoice::kRandomPerPacket, 1}, lists, Pace::kAfterSent)
        .bandwidth;
  };
  EXPECT_NEAR(run(fixed), 0.5, 0.01);
  EXPECT_GT(run(adaptive), 0.9);
}

// On a triangle the third switch is as far from the destination as the first: it is no way.
TEST(Model, AdaptiveChoiceTakesShortestWaysAlone) {
  const Fabric fabric = test::ring(3);
  const Network net = make_network(fabric, {});
  const Routes adaptive = Routes::adaptive(net);
  std::vector<std::uint32_t> ports;
  for (std::uint32_t dest = 0; dest < 3; ++dest) {
    for (std::uint32_t s = 0; s < 3; ++s) {
      adaptive.candidates(s, dest, ports);
      EXPECT_EQ(ports.size(), 1U) << s << " to " << dest;
    }
  }
}

TEST(Model, WhatCannotBeIsRefused) {
  const Fabric fabric = make_fabric("kary(2,2)");
  const auto refused = [&](auto change) {
    Model model;
    change(model);
    EXPECT_THROW(make_network(fabric, model), InputError);
  };
  refused([](Model& m) { m.input_flits = 9; });
  refused([](Model& m) { m.output_flits = 9; });
  refused([](Model& m) { m.packet_flits = 0; });
  refused([](Model& m) { m.lanes = 0; });
  refused([](Model& m) { m.lanes = 16; });
  refused([](Model& m) { m.shares.resize(2); });
  refused([](Model& m) { m.shares = {{Priority::kLow, 0}}; });
  refused([](Model& m) {
    m.sl_to_vl.emplace_back();
    m.sl_to_vl[0][7] = 1;
  });
  refused([](Model& m) {
    m.link_speed = 999983;  // a prime
    m.terminal_speed = 999979;
  });
  Model model;
  const Network net = make_network(fabric, model);
  Routing holes = find_engine("minhop").route(fatwood::Model(fabric), {});
  holes.tables.row(holes.tables.destination(Terminal{3}))[0] = kNoRoute;
  EXPECT_THROW(Routes::by_tables(net, holes).check_terminals(fabric), InputError);
  const auto dmodk = make_algebraic("dmodk", *fabric.tree());
  EXPECT_THROW(Routes::by_paths(net, *dmodk.routing).check_switches(fabric), InputError);
}

}  // namespace
}  // namespace fatwood::sim
