// SPDX-License-Identifier: BSD-3-Clause
// Deadlock: seen where it must come, named so that it can be checked, and never called where the
// network is only congested.

#include "verify/deadlock/deadlock.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "sim/run.hpp"
#include "topology/builder.hpp"
#include "verify/transition.hpp"

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
    builder.connect(builder.add_adapter(fmt::format("H{}", i), 1), Port{1}, sw[i], Port{1});
    builder.connect(sw[i], Port{2}, sw[(i + 1) % n], Port{3});
  }
  Ring ring{builder.build(), {}};
  ring.routing.tables = ForwardingTables(n, n, 0);
  for (std::uint32_t t = 0; t < n; ++t) {
    for (std::uint32_t s = 0; s < n; ++s) {
      ring.routing.tables.row(static_cast<Destination>(t))[s] = s == t ? Port{1} : Port{2};
      ring.routing.tables.row(static_cast<Destination>(n + t))[s] = s == t ? kOwnPort : Port{2};
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
    builder.connect(builder.add_adapter(fmt::format("H{}", i), 1), Port{1}, sw[i], Port{1});
    builder.connect(sw[i], Port{2}, sw[(i + 1) % 6], Port{3});
  }
  const Fabric fabric = builder.build();
  // minhop that breaks ties clockwise: opposite corners go round by port 2.
  Routing routing;
  routing.tables = ForwardingTables(6, 6, 0);
  for (std::uint32_t t = 0; t < 6; ++t) {
    for (std::uint32_t s = 0; s < 6; ++s) {
      const std::uint32_t ahead = (t + 6 - s) % 6;
      const Port port = ahead <= 3 ? Port{2} : Port{3};
      routing.tables.row(static_cast<Destination>(t))[s] = ahead == 0 ? Port{1} : port;
      routing.tables.row(static_cast<Destination>(6 + t))[s] = ahead == 0 ? kOwnPort : port;
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
    const auto umulti = make_algebraic("umulti", *fabric.tree());
    const Routes routes = Routes::by_paths(net, *umulti.routing);
    const Traffic hot = hotspot_traffic(64, Adapter{5});
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

// Tables on a fabric, with a change of them: old and new, one lane, rows of terminals alone.
struct Change {
  Fabric fabric;
  Routing old;
  ForwardingTables now;
};

// A leaf (with host H), spines s and t above it, a core (with host G) above both; the cable from s
// to the leaf is gone. The core went down by s, and now goes down by t, and s goes up to the core.
Change four_switches() {
  FabricBuilder builder;
  const auto leaf = builder.add_switch("leaf", 4);
  const auto s = builder.add_switch("s", 4);
  const auto t = builder.add_switch("t", 4);
  const auto core = builder.add_switch("core", 4);
  builder.connect(builder.add_adapter("H", 1), Port{1}, leaf, Port{1});
  builder.connect(builder.add_adapter("G", 1), Port{1}, core, Port{3});
  builder.connect(leaf, Port{3}, t, Port{1});
  builder.connect(s, Port{2}, core, Port{1});
  builder.connect(t, Port{2}, core, Port{2});
  Change change{builder.build(), {}, {}};
  change.old.tables = ForwardingTables(2, 4, 0);
  const auto set = [](ForwardingTables& tables, Destination destination,
                      std::array<std::uint8_t, 4> row) {
    std::ranges::transform(row, tables.row(destination).begin(),
                           [](std::uint8_t p) { return Port{p}; });
  };
  set(change.old.tables, Destination{1}, {3, 2, 2, 3});
  change.now = change.old.tables;
  set(change.old.tables, Destination{0}, {1, 1, 1, 1});
  set(change.now, Destination{0}, {1, 2, 1, 2});
  return change;
}

// Pods A and B, each a leaf with eight hosts under spines s and t; two cores above all four. The
// cores went down by s and now go down by t; sA goes up to core 1, sB to core 2. A leaf sends to
// the other pod's even hosts by s, to the odd ones by t.
Change eight_switches() {
  FabricBuilder builder;
  std::array<FabricBuilder::Handle, 8> sw{};  // lA, lB, sA, tA, sB, tB, c1, c2
  for (std::uint32_t i = 0; i < 8; ++i) sw[i] = builder.add_switch(fmt::format("S{}", i), 10);
  for (std::uint32_t pod = 0; pod < 2; ++pod) {
    for (std::uint32_t port = 1; port <= 8; ++port) {
      builder.connect(builder.add_adapter(fmt::format("H{}_{}", pod, port), 1), Port{1}, sw[pod],
                      static_cast<Port>(port));
    }
    for (std::uint32_t which = 0; which < 2; ++which) {  // s, t
      const auto spine = sw[2 + 2 * pod + which];
      builder.connect(sw[pod], static_cast<Port>(9 + which), spine, Port{1});
      builder.connect(spine, Port{2}, sw[6], static_cast<Port>(1 + 2 * pod + which));
      builder.connect(spine, Port{3}, sw[7], static_cast<Port>(1 + 2 * pod + which));
    }
  }
  Change change{builder.build(), {}, {}};
  change.old.tables = ForwardingTables(16, 8, 0);
  change.now = change.old.tables;
  for (std::uint8_t host = 0; host < 16; ++host) {
    const auto own = static_cast<std::uint8_t>(host % 8 + 1);
    const auto up = static_cast<std::uint8_t>(9 + host % 2);
    const bool a = host < 8;
    const std::array<std::uint8_t, 8> before =
        a ? std::array<std::uint8_t, 8>{own, up, 1, 1, 3, 3, 1, 1}
          : std::array<std::uint8_t, 8>{up, own, 2, 2, 1, 1, 3, 3};
    std::array<std::uint8_t, 8> after = before;
    after[6] = after[7] = a ? 2 : 4;
    after[a ? 2 : 4] = a ? 2 : 3;
    const auto port = [](std::uint8_t number) { return Port{number}; };
    std::ranges::transform(before, change.old.tables.row(Destination{host}).begin(), port);
    std::ranges::transform(after, change.now.row(Destination{host}).begin(), port);
  }
  return change;
}

// Writes these switches from this cycle on, so many cycles from one to the next.
std::vector<TableChange> in_order(const Network& net, Time from, Time gap,
                                  std::initializer_list<std::uint32_t> order) {
  std::vector<TableChange> changes;
  for (const std::uint32_t s : order) {
    changes.push_back({net.cycle * from, s, 1});
    from += gap;
  }
  return changes;
}

// The two rounds of a transition, with so many cycles in between.
void change_in_rounds(const Network& net, const Change& change, const Transition& transition,
                      Time from, Time drain, Routes& routes) {
  std::vector<ForwardingTables> tables;
  std::vector<TableChange> changes;
  ForwardingTables state = change.old.tables;
  for (const Round& round : transition.rounds) {
    std::set<std::uint32_t> switches;
    for (const auto& [destination, s] : round.write) {
      state.row(destination)[index(s)] = change.now.at(destination, s);
      switches.insert(index(s));
    }
    for (const auto& [destination, s] : round.clear) {
      state.row(destination)[index(s)] = kNoRoute;
      switches.insert(index(s));
    }
    tables.push_back(state);
    for (const std::uint32_t s : switches) {
      changes.push_back({net.cycle * from, s, static_cast<std::uint32_t>(tables.size())});
    }
    from += drain;
  }
  routes.change_tables(std::move(tables), std::move(changes));
}

TEST(Deadlock, FourSwitchesLoopWhenTheSpineIsWrittenBeforeTheCore) {
  const Change change = four_switches();
  Model model;
  const Network net = make_network(change.fabric, model);
  MessageLists lists(net.endpoints());
  lists[1].push_back({0, 20000, 0, 0, 0});  // G to H
  const auto run = [&](const auto& prepare) {
    Routes routes = Routes::by_tables(net, change.old);
    prepare(routes);
    return run_lists({net, model, routes, PathChoice::kRoundRobinPerPacket, 1}, lists,
                     Pace::kAtTime);
  };
  const CollectiveResult looping =
      run([&](Routes& r) { r.change_tables({change.now}, in_order(net, 500, 1, {1})); });
  ASSERT_TRUE(looping.switched.has_value());
  EXPECT_GT(looping.switched->looping, 0U);
  EXPECT_TRUE(looping.deadlock.has_value());  // the loop fills its two cables
  const CollectiveResult fine =
      run([&](Routes& r) { r.change_tables({change.now}, in_order(net, 500, 1, {3, 1})); });
  EXPECT_EQ(fine.switched->looping, 0U);
  EXPECT_FALSE(fine.deadlock.has_value());
  EXPECT_GT(fine.switched->discarded, 0U);  // before, at the spine whose cable is gone
  EXPECT_EQ(fine.counters.packets_delivered + fine.switched->discarded, 2000U);
  ModelHints hints;
  hints.roots = {Switch{3}};  // the core, though it has a host
  const Transition rounds =
      find_transition(fatwood::Model(change.fabric, hints), change.old.tables, change.now);
  ASSERT_EQ(rounds.safety, Safety::kRounds);
  const CollectiveResult safe =
      run([&](Routes& r) { change_in_rounds(net, change, rounds, 500, 500, r); });
  EXPECT_EQ(safe.switched->looping, 0U);
  EXPECT_FALSE(safe.deadlock.has_value());
}

// Packets that turn at a spine that is new, and those that wait at a core which was old when they
// came, close a cycle of four cables. Whether they do depends on who is first in the queues at that
// moment, so several are tried.
TEST(Deadlock, EightSwitchesWaitInACycleOfOldAndNewAndInTwoRoundsDoNot) {
  const Change change = eight_switches();
  Model model;
  model.queueing = Queueing::kFifo;
  const Network net = make_network(change.fabric, model);
  // Two hosts of each pod get packets from four of their own leaf and from one of the other pod.
  MessageLists lists(net.endpoints());
  for (const std::uint32_t pod : {0U, 8U}) {
    for (const std::uint32_t e : {2U, 3U, 4U, 5U}) {
      lists[pod + e].push_back({0, 3000, pod + e % 2, 0, 0});
    }
    for (const std::uint32_t e : {6U, 7U})
      lists[8 - pod + e].push_back({0, 3000, pod + e % 2, 0, 0});
  }
  const auto run = [&](const auto& prepare) {
    Routes routes = Routes::by_tables(net, change.old);
    prepare(routes);
    return run_lists({net, model, routes, PathChoice::kRoundRobinPerPacket, 1}, lists,
                     Pace::kAtTime);
  };
  const Transition rounds =
      find_transition(fatwood::Model(change.fabric), change.old.tables, change.now);
  ASSERT_EQ(rounds.safety, Safety::kRounds);
  EXPECT_FALSE(rounds.cycle.empty());
  std::size_t stuck = 0;
  for (Time at = 4000; at < 4100; at += 7) {
    const CollectiveResult mixed =
        run([&](Routes& r) { r.change_tables({change.now}, in_order(net, at, 20, {2, 4, 6, 7})); });
    if (mixed.deadlock) {
      expect_cycle(change.fabric, *mixed.deadlock);
      ++stuck;
    }
    const CollectiveResult safe =
        run([&](Routes& r) { change_in_rounds(net, change, rounds, at, 1000, r); });
    EXPECT_FALSE(safe.deadlock.has_value());
    EXPECT_EQ(safe.switched->looping, 0U);
    EXPECT_EQ(safe.counters.flits_delivered + safe.counters.flits_discarded, safe.flits);
  }
  EXPECT_GT(stuck, 0U);
}

}  // namespace
}  // namespace fatwood::sim
