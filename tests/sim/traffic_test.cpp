// SPDX-License-Identifier: BSD-3-Clause
// What sources draw and which of a pair's ways they take: amounts of a traffic, addresses of an
// LMC.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/error.hpp"
#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "sim/run.hpp"
#include "support/input_error.hpp"

namespace fatwood::sim {
namespace {

// How many messages each pair of hosts (of one port each) gets until tick `until`.
std::map<std::pair<std::uint32_t, std::uint32_t>, double> drawn(const Network& net,
                                                                const Traffic& traffic, double load,
                                                                Time until) {
  Poisson workload(net, {load, 10, 0, &traffic}, {}, 5);
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> count;
  for (std::uint32_t s = 0; s < net.terminals; ++s) {
    const auto e = static_cast<Endpoint>(s);
    while (workload.next_at(e) < until) ++count[{s, index(workload.take(e, until).dest)}];
  }
  return count;
}

TEST(Poisson, FollowsTheAmountsOfTheTraffic) {
  const Fabric fabric = make_fabric("kary(2,2)");
  const Network net = make_network(fabric, Model{});
  // Host 0 sends 6 units, so at the full load; 1 and 3 send 3 and 1; 2 is silent.
  const Traffic traffic{.adapters = 4,
                        .units_in_one = 2,
                        .flows = {{Adapter{0}, Adapter{1}, 1},
                                  {Adapter{0}, Adapter{2}, 3},
                                  {Adapter{0}, Adapter{3}, 2},
                                  {Adapter{1}, Adapter{0}, 3},
                                  {Adapter{3}, Adapter{1}, 1}}};
  const double load = 0.6;
  constexpr Time kUntil = 2'000'000;
  auto count = drawn(net, traffic, load, kUntil);
  EXPECT_EQ(count.size(), traffic.flows.size());
  for (const Flow& flow : traffic.flows) {
    const double expected = load * kUntil / 10 * static_cast<double>(flow.units) / 6;
    const double seen = count[{index(flow.source), index(flow.destination)}];
    EXPECT_NEAR(seen, expected, 5 * std::sqrt(expected))
        << index(flow.source) << " to " << index(flow.destination);
  }
}

TEST(Poisson, LoadsTooSmallToSendAnythingEnd) {
  const Fabric fabric = make_fabric("ft(4,2)");
  const Model model;
  const Network net = make_network(fabric, model);
  const Routing routing = find_engine("updn+").route(fatwood::Model(fabric), {});
  const Routes routes = Routes::by_tables(net, routing);
  const sim::Setup setup{net, model, routes, PathChoice::kRoundRobinPerPacket, 1};
  OpenTraffic traffic;
  traffic.cycles = 500;
  for (const double load : {1e-18, 1e-30, 1e-300, 5e-324}) {
    const Point point = run_load(setup, traffic, load);
    EXPECT_EQ(point.counters.messages_begun, 0U) << load;
    EXPECT_EQ(point.terminals.accepted.mean, 0) << load;
  }
  traffic.switch_load = 1e-18;
  const Point point = run_load(setup, traffic, 0.1);
  EXPECT_GT(point.terminals.accepted.mean, 0);
  EXPECT_EQ(point.switches.accepted.mean, 0);
}

TEST(Run, TrafficOfNobodyIsRefused) {
  const Fabric fabric = make_fabric("kary(4,1)");
  const Model model;
  const Network net = make_network(fabric, model);
  const Routing routing = find_engine("updn+").route(fatwood::Model(fabric), {});
  const Routes routes = Routes::by_tables(net, routing);
  const sim::Setup setup{net, model, routes, PathChoice::kRoundRobinPerPacket, 1};
  const Traffic none{.adapters = 4};
  OpenTraffic traffic;
  traffic.matrix = &none;
  EXPECT_THROW(run_load(setup, traffic, 0.5), InputError);
  EXPECT_THROW(run_lists(setup, MessageLists(net.endpoints()), Pace::kAtTime), InputError);
  traffic.matrix = nullptr;
  traffic.switch_load = 0.5;  // one switch: nobody to send to
  EXPECT_THROW(run_load(setup, traffic, 0.5), InputError);
}

// Each terminal has two addresses, and the tables send them over different spines.
struct TwoAddresses {
  Fabric fabric = make_fabric("xgft(2;2,2;1,2)");
  Model model;
  Network net = make_network(fabric, model);
  Routing routing = find_engine("minhop").route(fatwood::Model(fabric), {.lmc = 1});

  Channel up_of(Terminal t, std::uint32_t address) const {
    const Switch leaf = fabric.leaf(Terminal{0});
    const Destination destination = routing.tables.destination(t, address);
    return fabric.channel(fabric.node(leaf), routing.tables.at(destination, leaf));
  }
};

TEST(Routes, PacketsTakeTurnsOverAllAddresses) {
  const TwoAddresses two;
  const Terminal far{3};
  ASSERT_NE(two.up_of(far, 0), two.up_of(far, 1));
  const Routes routes = Routes::by_tables(two.net, two.routing);
  EXPECT_EQ(routes.paths(Endpoint{0}, two.net.endpoint(far)), 2U);
  MessageLists lists(two.net.endpoints());
  lists[0].push_back({0, 1000, index(far), 0, 0});
  Lists workload(two.net, lists, Pace::kAtTime);
  Meter meter(two.net);
  Engine engine(two.net, two.model, routes, PathChoice::kInOrderPerPacket, 1, workload, meter);
  engine.run(100000);
  EXPECT_EQ(engine.counters().flits_delivered, 1000U);
  EXPECT_EQ(engine.flits_sent(index(two.up_of(far, 0))), 500U);
  EXPECT_EQ(engine.flits_sent(index(two.up_of(far, 1))), 500U);
}

TEST(Routes, EveryAddressHasToBeReached) {
  TwoAddresses two;
  const Destination second = two.routing.tables.destination(Terminal{3}, 1);
  two.routing.tables.row(second)[index(two.fabric.leaf(Terminal{0}))] = kNoRoute;
  const Routes routes = Routes::by_tables(two.net, two.routing);
  EXPECT_THROW(routes.check_terminals(two.fabric), InputError);
}

}  // namespace
}  // namespace fatwood::sim
