// SPDX-License-Identifier: BSD-3-Clause
// One simulation on several threads gives what it gives on one, in every figure.

#include <gtest/gtest.h>

#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "sim/engine/engine.hpp"
#include "sim/engine/partition.hpp"
#include "sim/meter.hpp"
#include "sim/run.hpp"

namespace fatwood::sim {
namespace {

struct Case {
  const char* spec;
  const char* engine;  // "": adaptive
  double load;
  Model model;
};

std::vector<Case> cases() {
  Model latency;
  latency.link_latency = 7;
  latency.switch_latency = 3;
  Model lanes;
  lanes.lanes = 3;
  lanes.crossbar_speedup = 2;
  lanes.link_latency = 1;
  Model fifo;
  fifo.queueing = Queueing::kFifo;
  fifo.receivers = Receivers::kUnlimited;
  return {{"ft(8,3)", "updn+", 0.3, {}},      {"ft(8,3)", "updn+", 0.9, latency},
          {"kary(3,3)", "minhop", 0.6, fifo}, {"torus(4,4)", "dfsssp", 0.5, lanes},
          {"ft(6,3)", "", 0.8, latency},      {"ft(6,3)", "ar_updn", 0.7, {}},
          {"ring(8)", "minhop", 1.0, {}}};  // the ring runs into a deadlock
}

// Everything that a run shows, as numbers.
std::vector<double> figures(const Engine& engine, const Network& net, const Meter& meter) {
  const Counters c = engine.counters();
  std::vector<double> all;
  for (const std::uint64_t n : {c.flits_injected, c.flits_delivered, c.packets_delivered,
                                c.messages_begun, c.messages_delivered, c.flit_hops, c.events}) {
    all.push_back(static_cast<double>(n));
  }
  all.push_back(static_cast<double>(engine.last_delivery()));
  all.push_back(static_cast<double>(engine.now()));
  all.push_back(static_cast<double>(engine.bytes()));
  for (std::uint32_t p = 0; p < net.ports.size(); ++p) {
    all.push_back(static_cast<double>(engine.flits_sent(p)));
  }
  for (const auto* windows : {&meter.terminal_windows(), &meter.switch_windows()}) {
    for (const Window& w : *windows) {
      for (const Histogram& h : {w.message, w.packet}) {
        for (const double q : {0.1, 0.5, 0.9, 0.99}) all.push_back(h.percentile(q));
        all.push_back(h.sum());
        all.push_back(static_cast<double>(h.most()));
      }
      all.push_back(static_cast<double>(w.flits));
    }
  }
  const auto deadlock = engine.deadlock();
  for (const Wait& wait : deadlock.value_or(Deadlock{})) {
    for (const std::uint32_t n : {index(wait.source), index(wait.dest), wait.message, wait.packet,
                                  wait.holds.port, wait.wants.port}) {
      all.push_back(n);
    }
  }
  return all;
}

TEST(Threads, OneSimulationIsTheSameOnAnyNumberOfThem) {
  for (const Case& c : cases()) {
    const Fabric fabric = make_fabric(c.spec);
    const bool adaptive = std::string_view(c.engine).empty();
    const Routing routing =
        adaptive ? Routing{} : find_engine(c.engine).route(fatwood::Model(fabric), {});
    Model model = c.model;
    model.lanes = std::max(model.lanes, routing.lanes.count);
    const Network net = make_network(fabric, model);
    const Routes routes = adaptive ? Routes::adaptive(net) : Routes::by_tables(net, routing);
    if (!adaptive) routes.check_switches(fabric);
    std::vector<double> alone;
    for (const auto& [threads, parts] :
         std::vector<std::pair<unsigned, unsigned>>{{1, 1}, {1, 5}, {2, 1}, {3, 2}, {4, 1}}) {
      Poisson workload(net, {.load = c.load, .message_flits = 25},
                       {.load = adaptive ? 0 : 0.02, .message_flits = 3}, 5);
      Meter meter(net);
      Engine engine(net, model, routes, PathChoice::kRandomPerPacket, 1, workload, meter, threads,
                    parts);
      ASSERT_EQ(engine.threads(), threads);
      for (const Time until : {0, 1, 2, 700, 1500, 1501, 3000}) {
        engine.run(until);
        ASSERT_EQ(engine.imbalance(), "") << c.spec;
        meter.next_window();
      }
      const std::vector<double> seen = figures(engine, net, meter);
      if (parts * threads == 1) alone = seen;
      EXPECT_EQ(seen, alone) << c.spec << ' ' << c.engine << ", threads: " << threads;
      EXPECT_EQ(engine.exchange().packets > 0, threads > 1);
      const bool ring = std::string_view(c.spec) == "ring(8)";
      EXPECT_EQ(engine.deadlock().has_value(), ring) << c.spec;
    }
  }
}

// With gaps between messages that are much longer than a window.
TEST(Threads, ListsAreTheSameAndEndAtTheSameTick) {
  const Fabric fabric = make_fabric("ft(6,3)");
  const Routing routing = find_engine("ftree").route(fatwood::Model(fabric), {});
  Model model;
  model.link_latency = 2;
  const Network net = make_network(fabric, model);
  const Routes routes = Routes::by_tables(net, routing);
  for (const Pace pace : {Pace::kAtTime, Pace::kAfterSent, Pace::kBarrier}) {
    std::vector<double> alone;
    for (const unsigned threads : {1U, 2U, 4U}) {
      MessageLists lists(net.endpoints());
      for (std::uint32_t e = 0; e < net.terminals; ++e) {
        for (std::uint32_t i = 0; i < 5; ++i) {
          const auto dest = static_cast<std::uint32_t>((e + 1 + 7 * i) % net.terminals);
          lists[e].push_back({Time{i} * 50000 + e, 30 + e % 3, dest, i, 0});
        }
      }
      Lists workload(net, std::move(lists), pace);
      Meter meter(net);
      Engine engine(net, model, routes, PathChoice::kRandomPerPacket, 1, workload, meter, threads);
      // A barrier wakes endpoints everywhere within a tick.
      EXPECT_EQ(engine.threads(), pace == Pace::kBarrier ? 1 : threads);
      for (Time until = 100000; !engine.idle(); until += 100000) engine.run(until);
      meter.next_window();
      const std::vector<double> seen = figures(engine, net, meter);
      if (threads == 1) alone = seen;
      EXPECT_EQ(seen, alone) << threads;
      if (pace == Pace::kAtTime) {
        EXPECT_LT(engine.exchange().windows, 20000U) << "windows without events are left out";
      }
    }
  }
}

TEST(Threads, ALoadIsTheSameInEveryFigure) {
  const Fabric fabric = make_fabric("ft(24,3)");
  const Model model;
  const Network net = make_network(fabric, model);
  const auto dmodk = make_algebraic("dmodk", *fabric.tree());
  const Routes routes = Routes::by_paths(net, *dmodk.routing);
  OpenTraffic traffic;
  traffic.cycles = 200;
  traffic.windows = 10;
  sim::Setup setup{net, model, routes};
  const Point alone = run_load(setup, traffic, 0.4);
  for (const int threads : {2, 4}) {
    setup.threads = threads;
    const Point point = run_load(setup, traffic, 0.4);
    EXPECT_EQ(point.counters, alone.counters);
    EXPECT_EQ(point.use, alone.use);
    EXPECT_EQ(point.bytes, alone.bytes);
    EXPECT_EQ(point.terminals.created, alone.terminals.created);
    EXPECT_EQ(point.terminals.accepted.mean, alone.terminals.accepted.mean);
    EXPECT_EQ(point.terminals.message.mean, alone.terminals.message.mean);
    EXPECT_EQ(point.terminals.message.half, alone.terminals.message.half);
    EXPECT_EQ(point.terminals.packet.p99, alone.terminals.packet.p99);
  }
}

// An observer that throws ends the run, on any thread.
TEST(Threads, AnExceptionOfOneEndsTheRun) {
  struct Throws : Observer {
    void delivered(const Delivery& d) override {
      if (d.delivered > 100) throw std::runtime_error("enough");
    }
    Observer* of_thread(unsigned, unsigned) override { return this; }
  };
  const Fabric fabric = make_fabric("ft(6,3)");
  const Model model;
  const Network net = make_network(fabric, model);
  const auto dmodk = make_algebraic("dmodk", *fabric.tree());
  const Routes routes = Routes::by_paths(net, *dmodk.routing);
  Poisson workload(net, {.load = 0.3, .message_flits = 10}, {}, 1);
  Throws observer;
  Engine engine(net, model, routes, PathChoice::kRandomPerPacket, 1, workload, observer, 3);
  EXPECT_THROW(engine.run(1000), std::runtime_error);
}

TEST(Partition, KeepsPodsTogetherAndSharesTheRest) {
  const Fabric fabric = make_fabric("ft(8,3)");
  const Network net = make_network(fabric, {});
  const std::vector<std::uint16_t> part_of = partition(net, 4);
  std::vector<std::size_t> ports(4, 0);
  std::size_t crossing = 0;
  std::size_t links = 0;
  for (std::uint32_t p = 0; p < net.ports.size(); ++p) {
    if (net.ports[p].peer == kNil) continue;
    ++ports[part_of[p]];
    ++links;
    const bool crosses = part_of[p] != part_of[net.ports[p].peer];
    crossing += crosses ? 1U : 0U;
    EXPECT_FALSE(crosses && net.ports[p].endpoint != kNil);
  }
  for (const std::size_t part : ports) EXPECT_EQ(part, links / 4);
  // Of the links between pods and cores three in four, of the others none: 8 pods of 16 links up.
  EXPECT_EQ(crossing, 2U * 8 * 16 * 3 / 4);
}

TEST(Partition, PartsRunAheadByTheLeastLatencyBetweenThem) {
  const Fabric fabric = make_fabric("ft(4,2)");
  Model model;
  model.link_latency = 5;
  const Network net = make_network(fabric, model);
  EXPECT_EQ(lookahead(net, partition(net, 2)), 5 * net.cycle + 1);
  EXPECT_EQ(lookahead(net, partition(net, 1)), kNever);
}

}  // namespace
}  // namespace fatwood::sim
