// SPDX-License-Identifier: BSD-3-Clause
// Deadlock: seen where it must come, named so that it can be checked, and never called where the
// network is only congested.

#include "verify/deadlock.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "routing/engine.hpp"
#include "sim/run.hpp"
#include "topology/builder.hpp"
#include "topology/spec.hpp"

namespace fatwood::sim {
namespace {

// The cycle of waits holds together: each wants what the next holds, buffers alternate between
// outputs and inputs, and a packet at an output wants the input at the other end of the cable.
void expect_cycle(const Fabric& fabric, const Deadlock& cycle) {
  ASSERT_GE(cycle.size(), 4U);
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const Wait& wait = cycle[i];
    const Wait& next = cycle[(i + 1) % cycle.size()];
    EXPECT_EQ(wait.wants, next.holds);
    EXPECT_NE(wait.holds.output, wait.wants.output);
    const auto holds = static_cast<Channel>(wait.holds.port);
    const auto wants = static_cast<Channel>(wait.wants.port);
    if (wait.holds.output) {
      EXPECT_EQ(fabric.peer(holds), wants);
    } else {
      EXPECT_EQ(fabric.owner(holds), fabric.owner(wants));
    }
  }
}

// A ring of n switches with a host each, everyone routed clockwise.
struct Ring {
  Fabric fabric;
  Routing routing;
};
Ring clockwise_ring(std::uint32_t n) {
  FabricBuilder builder;
  std::vector<FabricBuilder::Handle> sw;
  for (std::uint32_t i = 0; i < n; ++i) sw.push_back(builder.add_switch(fmt::format("S{}", i), 3));
  for (std::uint32_t i = 0; i < n; ++i) {
    builder.connect(builder.add_adapter(fmt::format("H{}", i), 1), 1, sw[i], 1);
    builder.connect(sw[i], 2, sw[(i + 1) % n], 3);
  }
  Ring ring{builder.build(), {}};
  ring.routing.tables = ForwardingTables(n, n, 0);
  for (std::uint32_t t = 0; t < n; ++t) {
    for (std::uint32_t s = 0; s < n; ++s) {
      ring.routing.tables.row(static_cast<Target>(t))[s] = s == t ? 1 : 2;
      ring.routing.tables.row(static_cast<Target>(n + t))[s] = s == t ? 0 : 2;
    }
  }
  return ring;
}

TEST(Deadlock, TheRingOf003) {
  for (const std::uint32_t n : {4U, 5U, 7U}) {
    for (const Queueing queueing : {Queueing::kFifo, Queueing::kByOutput}) {
      const Ring ring = clockwise_ring(n);
      Model model;
      model.queueing = queueing;
      const Network net = make_network(ring.fabric, model);
      const Routes routes = Routes::by_tables(net, ring.routing);
      MessageLists lists(net.endpoints());
      for (std::uint32_t s = 0; s < n; ++s) lists[s].push_back({0, 50000, (s + n - 1) % n, 0, 0});
      const CollectiveResult result =
          run_lists({net, model, routes, PathChoice::kRandomPerPacket, 1}, lists, Pace::kAfterSent);
      ASSERT_TRUE(result.deadlock.has_value()) << n;
      EXPECT_EQ(result.deadlock->size(), 2 * n);  // an input and an output buffer of each switch
      expect_cycle(ring.fabric, *result.deadlock);
      EXPECT_LT(result.counters.flits_delivered, 50000U * n);
    }
  }
}

// [Bogdanski12], Fig. 2: four pairs deadlock a three-stage tree under minhop, two of switches
// (0->3, 3->6) and two of hosts (B->D, D->A). The paper's own account of it is the ring of six
// switches that every such tree contains, so that is what is built: switches 0 to 5 in a ring, a
// host on each. The switch pairs go half round each; each host pair joins the end of one to the
// start of the other.
TEST(Deadlock, Figure2Of003) {
  FabricBuilder builder;
  std::vector<FabricBuilder::Handle> sw;
  for (std::uint32_t i = 0; i < 6; ++i) sw.push_back(builder.add_switch(fmt::format("S{}", i), 3));
  for (std::uint32_t i = 0; i < 6; ++i) {
    builder.connect(builder.add_adapter(fmt::format("H{}", i), 1), 1, sw[i], 1);
    builder.connect(sw[i], 2, sw[(i + 1) % 6], 3);
  }
  const Fabric fabric = builder.build();
  // minhop that breaks ties clockwise: opposite corners go round by port 2.
  Routing routing;
  routing.tables = ForwardingTables(6, 6, 0);
  for (std::uint32_t t = 0; t < 6; ++t) {
    for (std::uint32_t s = 0; s < 6; ++s) {
      const std::uint32_t ahead = (t + 6 - s) % 6;
      const std::uint8_t port = ahead <= 3 ? 2 : 3;
      routing.tables.row(static_cast<Target>(t))[s] = ahead == 0 ? 1 : port;
      routing.tables.row(static_cast<Target>(6 + t))[s] = ahead == 0 ? 0 : port;
    }
  }
  Model model;
  model.input_flits = model.output_flits = model.packet_flits;
  const Network net = make_network(fabric, model);
  const Routes routes = Routes::by_tables(net, routing);
  const auto at = [](std::uint32_t e) { return static_cast<Endpoint>(e); };
  // Each of the four from the host and from the switch itself: one sender alone takes turns with
  // what passes by, for ever.
  const std::pair<Endpoint, Endpoint> pairs[] = {
      {at(6 + 0), at(6 + 3)}, {at(0), at(6 + 3)}, {at(6 + 3), at(6 + 0)}, {at(3), at(6 + 0)},
      {at(2), at(4)},         {at(6 + 2), at(4)}, {at(5), at(1)},         {at(6 + 5), at(1)}};
  const MessageLists lists = burst_lists(net, model, pairs, 3000, 1);
  const sim::Setup setup{net, model, routes, PathChoice::kRandomPerPacket, 1};
  const CollectiveResult result = run_lists(setup, lists, Pace::kAtTime);
  ASSERT_TRUE(result.deadlock.has_value());
  EXPECT_EQ(result.deadlock->size(), 12U);
  expect_cycle(fabric, *result.deadlock);
  // Without any one of the four the ring is not closed, and everything arrives.
  for (const std::uint32_t silent : {0U, 3U, 2U, 5U}) {
    MessageLists three = lists;
    three[silent].clear();
    three[6 + silent].clear();
    const CollectiveResult open = run_lists(setup, three, Pace::kAtTime);
    EXPECT_FALSE(open.deadlock.has_value());
    EXPECT_EQ(open.counters.flits_delivered, open.flits);
  }
}

TEST(Deadlock, ACycleOfVerifyCanBeDrivenIntoDeadlock) {
  for (const char* spec : {"ring(6)", "torus(4,4)", "kary(2,3)"}) {
    const Fabric fabric = make_fabric(spec);
    const Routing routing = find_engine("minhop").route(fatwood::Model(fabric), {});
    const fatwood::Deadlock found = find_deadlock(fabric, routing);
    if (found.free()) continue;  // a tree that minhop happens to route well
    Model model;
    model.input_flits = model.output_flits = model.packet_flits;  // little room: soon full
    const Network net = make_network(fabric, model);
    const Routes routes = Routes::by_tables(net, routing);
    std::vector<std::pair<Endpoint, Endpoint>> pairs;
    std::set<Channel> channels;
    for (const Dependency& dependency : found.lanes[found.cyclic_lane()].cycle) {
      channels.insert(dependency.channel);
      const auto at = [&](const fatwood::Endpoint& e) {
        return e.is_switch() ? net.endpoint(e.sw) : net.endpoint(e.terminal);
      };
      // Whoever sits where the channel begins goes the same way to that destination.
      const Switch owner = fabric.as_switch(fabric.owner(dependency.channel));
      const Endpoint to = at(dependency.destination);
      pairs.emplace_back(net.endpoint(owner), to);
      for (const Terminal t : ids<Terminal>(net.terminals)) {
        if (fabric.leaf(t) == owner) pairs.emplace_back(net.endpoint(t), to);
      }
    }
    const CollectiveResult result =
        run_lists({net, model, routes, PathChoice::kRandomPerPacket, 1},
                  burst_lists(net, model, pairs, 20000, 1), Pace::kAtTime);
    ASSERT_TRUE(result.deadlock.has_value()) << spec;
    expect_cycle(fabric, *result.deadlock);
    // It is the very cycle.
    for (const Wait& wait : *result.deadlock) {
      if (wait.holds.output) {
        EXPECT_TRUE(channels.contains(static_cast<Channel>(wait.holds.port))) << spec;
      }
    }
  }
}

TEST(Deadlock, CongestionIsNotCalledDeadlock) {
  // Everyone to one terminal, in a tree without cycles: as crowded as it gets, looked at often.
  for (const Queueing queueing : {Queueing::kFifo, Queueing::kByOutput}) {
    const Fabric fabric = make_fabric("kary(4,3)");
    Model model;
    model.queueing = queueing;
    const Network net = make_network(fabric, model);
    const auto umulti = make_oblivious("umulti", *fabric.tree());
    const Routes routes = Routes::by_paths(net, *umulti.routing);
    const Traffic hot = hotspot_traffic(64, Host{5});
    OpenTraffic traffic;
    traffic.matrix = &hot;
    traffic.message_flits = 200;
    traffic.cycles = 20000;
    traffic.windows = 400;
    const Point point =
        run_load({net, model, routes, PathChoice::kRandomPerPacket, 1}, traffic, 1.0);
    EXPECT_FALSE(point.deadlock.has_value());
    EXPECT_NEAR(point.terminals.accepted.mean, 1.0 / 63, 0.0005);
  }
}

}  // namespace
}  // namespace fatwood::sim
