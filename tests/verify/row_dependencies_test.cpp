// SPDX-License-Identifier: BSD-3-Clause
// Dependencies of tables on one lane, entry by entry, on switches of up to more than 128 ports.

#include <gtest/gtest.h>

#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "support/fabrics.hpp"
#include "verify/deadlock/dependencies.hpp"

namespace fatwood {
namespace {

// Two hops of each row at a time, looked up in the fabric.
DependencyGraph slow_dependencies(const Fabric& fabric, const ForwardingTables& tables) {
  DependencyGraph graph(fabric);
  const auto channel = [&](Destination destination, Switch s) {
    const Port entry = tables.at(destination, s);
    if (entry == kOwnPort || index(entry) > fabric.ports(fabric.node(s))) return kNone<Channel>;
    const Channel c = fabric.channel(fabric.node(s), entry);
    return fabric.to_switch(c) ? c : kNone<Channel>;
  };
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    for (const Switch s : ids<Switch>(tables.num_switches())) {
      const Channel first = channel(destination, s);
      if (first == kNone<Channel>) continue;
      const Channel second = channel(destination, fabric.next_switch(first));
      if (second == kNone<Channel>) continue;
      graph.add(graph.vertex(fabric.peer(first)), index(fabric.port(second)));
    }
  }
  return graph;
}

void expect_same(const Fabric& fabric, const Routing& routing, const std::string& what) {
  for (const int threads : {1, 3}) {
    const std::vector<DependencyGraph> found =
        find_dependencies(fabric, routing, Sources::kAll, threads);
    ASSERT_EQ(found.size(), 1U) << what;
    EXPECT_EQ(found.front(), slow_dependencies(fabric, routing.tables)) << what;
  }
}

TEST(RowDependencies, AreFoundOnSwitchesOfAnySize) {
  // Highest ports that lead to switches: 4, 62, 64, 66 and 130.
  for (const std::string spec : {"ft(4,3)", "ft(62,2)", "ft(64,2)", "ft(66,2)", "ft(130,2)"}) {
    const Fabric fabric = make_fabric(spec);
    const Routing routing = route(find_engine("sftree"), Model(fabric), {.threads = 1});
    expect_same(fabric, routing, spec);
  }
}

TEST(RowDependencies, OfAnyBytes) {
  for (const std::string spec : {"ft(4,3)", "ft(64,2)", "ft(66,2)"}) {
    const Fabric fabric = make_fabric(spec);
    Routing routing = route(find_engine("minhop"), Model(fabric), {.threads = 1});
    for (const double share : {0.1, 1.0}) {
      routing.tables = test::corrupt(std::move(routing.tables), 7, share);
      expect_same(fabric, routing, spec);
    }
  }
}

TEST(RowDependencies, OfRandomFabrics) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Fabric fabric = test::random_fabric(seed, 20);
    Routing routing;
    routing.tables = test::corrupt(test::shortest_tables(fabric, seed), seed, 0.05);
    expect_same(fabric, routing, "seed " + std::to_string(seed));
  }
}

}  // namespace
}  // namespace fatwood
