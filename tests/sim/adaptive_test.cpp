// SPDX-License-Identifier: BSD-3-Clause
// Switches that choose from groups of ports, flit by flit: nothing is lost, free choice is better
// than hashed under a permutation, bounded choice keeps a burst together, and a cycle that the
// verifier finds in the union of all choices can stand still.

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "io/fabric/spec.hpp"
#include "routing/adaptive/changed_sets.hpp"
#include "routing/adaptive/port_sets_builder.hpp"
#include "routing/engine.hpp"
#include "sim/run.hpp"
#include "support/fabrics.hpp"
#include "verify/verify.hpp"

namespace fatwood::sim {
namespace {

struct Ready {
  fatwood::Model fabric;
  Routing routing;
  Model model;
  Network network;
  Routes routes;

  Ready(Fabric of, const char* engine, EntryState choice, Model with = {})
      : fabric(std::move(of)),
        routing(route(find_engine(engine), fabric, {.choice = choice})),
        model(std::move(with)),
        network(make_network(fabric.fabric(), model)),
        routes(Routes::by_tables(network, routing)) {}

  Point run(const Traffic* matrix, double load, Time cycles, std::uint64_t seed = 1) const {
    OpenTraffic traffic;
    traffic.matrix = matrix;
    traffic.message_flits = 40;
    traffic.cycles = cycles;
    return run_load({network, model, routes, PathChoice::kRoundRobinPerPacket, seed}, traffic,
                    load);
  }
};

TEST(AdaptiveSim, FreeChoiceBeatsHashedOnesUnderAPermutation) {
  const Traffic traffic = random_permutation(128, 5);
  const auto accepted = [&](EntryState choice) {
    const Ready ready(make_fabric("ft(8,3)"), "ar_updn", choice);
    ready.routes.check_terminals(ready.fabric.fabric());
    const Point point = ready.run(&traffic, 0.9, 4000);
    EXPECT_FALSE(point.deadlock);
    return point.terminals.accepted.mean;
  };
  const double free = accepted(EntryState::kFree);
  const double bounded = accepted(EntryState::kBounded);
  const double hashed = accepted(EntryState::kHashed);
  EXPECT_GT(free, 0.6);
  EXPECT_GT(free, hashed);
  EXPECT_GT(bounded, hashed);
}

TEST(AdaptiveSim, TheSameSeedGivesTheSameBytes) {
  for (const EntryState choice : {EntryState::kFree, EntryState::kBounded, EntryState::kHashed}) {
    const Ready ready(make_fabric("ft(4,3)"), "ar_ftree", choice);
    const Point one = ready.run(nullptr, 0.6, 2000, 3);
    const Point two = ready.run(nullptr, 0.6, 2000, 3);
    EXPECT_EQ(one.terminals.accepted.mean, two.terminals.accepted.mean);
    EXPECT_EQ(one.counters.flit_hops, two.counters.flit_hops);
    EXPECT_EQ(one.counters.events, two.counters.events);
  }
}

// Both ways round a ring for hosts on the other side.
Routing either_port(const Fabric& fabric, std::uint32_t switches) {
  Routing routing;
  routing.tables = ForwardingTables(fabric.num_terminals(), fabric.num_switches(), 0);
  PortSetsBuilder builder(fabric);
  for (const Switch s : ids<Switch>(switches)) {
    builder.add_group(s, 1, {{.ports = {Port{1}, Port{2}}, .weight = 0}});
  }
  for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
    const Switch home = home_of(fabric, routing.tables, destination);
    std::vector<PortSets::Kind> row(switches);
    for (std::uint32_t s = 0; s < switches; ++s) {
      const std::uint32_t ahead = (index(home) + switches - s) % switches;
      Port& own = routing.tables.row(destination)[s];
      own = ahead <= switches / 2 ? Port{1} : Port{2};
      if (ahead == 0) {
        own = own_port(fabric, routing.tables, destination);
      }
      if (2 * ahead == switches) {
        row[s] = builder.kind(static_cast<Switch>(s), EntryState::kFree, 1, own);
      }
    }
    builder.set_row(destination, row);
  }
  routing.sets = std::move(builder).build(routing.tables.num_destinations());
  return routing;
}

TEST(AdaptiveSim, AUnionWithACycleCanStandStill) {
  const Fabric fabric = test::ring(6, 2);
  const Routing routing = either_port(fabric, 6);
  const Verdict verdict = verify(fatwood::Model(fabric), routing);
  EXPECT_TRUE(verdict.reachability.whole());
  EXPECT_FALSE(verdict.deadlock.free());
  Model model;
  model.input_flits = model.output_flits = 10;
  const Network network = make_network(fabric, model);
  const Routes routes = Routes::by_tables(network, routing);
  OpenTraffic traffic;
  traffic.message_flits = 100;
  traffic.cycles = 20000;
  bool seen = false;
  for (std::uint64_t seed = 1; seed <= 5 && !seen; ++seed) {
    seen = run_load({network, model, routes, PathChoice::kRoundRobinPerPacket, seed}, traffic, 1.0)
               .deadlock.has_value();
  }
  EXPECT_TRUE(seen);
}

TEST(AdaptiveSim, TablesThatLosePacketsAreRefused) {
  const Fabric fabric = test::ring(4, 1);
  Routing routing = either_port(fabric, 4);
  routing.tables.row(Destination{0})[1] = kNoRoute;
  const Network network = make_network(fabric, Model{});
  const Routes routes = Routes::by_tables(network, routing);
  EXPECT_THROW(routes.check_terminals(fabric), InputError);
}

}  // namespace
}  // namespace fatwood::sim
