// SPDX-License-Identifier: BSD-3-Clause
// updn+: what the joint costs, what hints do. updn and dnup: when they refuse; their tables are in
// tests/engines and tests/ib. That engines keep their promise is in engines_test.cpp.

#include <gtest/gtest.h>

#include <set>

#include "core/error.hpp"
#include "oracle/routes.hpp"
#include "routing/engine.hpp"
#include "routing/graph/turn_order.hpp"
#include "support/small_fabrics.hpp"

namespace fatwood {
namespace {

// Hops from switch to switch over the tables and over the cables.
std::uint64_t longer_between_leaves(const Fabric& fabric, const Routing& routing) {
  const Routing shortest = route(find_engine("minhop"), Model(fabric));
  std::uint64_t longer = 0;
  for (const Terminal from : ids<Terminal>(fabric.num_terminals())) {
    for (const Terminal to : ids<Terminal>(fabric.num_terminals())) {
      const Switch leaf = fabric.leaf(from);
      const Destination destination = routing.tables.destination(to);
      if (oracle::walk(fabric, routing, leaf, destination).channels.size() >
          oracle::walk(fabric, shortest, leaf, destination).channels.size()) {
        ++longer;
      }
    }
  }
  return longer;
}

TEST(Updn, CostsNoShortestPathBetweenTerminalsOfAWholeTree) {
  for (const std::string name :
       {"ft(4,3)", "ft(8,2)", "kary(2,4)", "xgft(3;2,3,4;1,2,2)", "pgft(2;4,4;1,2;1,2)"}) {
    const Fabric fabric = test::small_fabric(name);
    EXPECT_EQ(longer_between_leaves(fabric, route(find_engine("updn+"), Model(fabric))), 0U)
        << name;
  }
}

TEST(Updn, NoRouteOnARingPassesTheCornerFarFromAGivenRoot) {
  const Fabric fabric = test::small_fabric("ring of seven");
  for (const Switch root : ids<Switch>(7)) {
    const Routing routing = route(find_engine("updn+"), Model(fabric, {.roots = {root}}));
    const auto distance = [&](Node n) {
      return (index(fabric.as_switch(n)) + 7 - index(root)) % 7;
    };
    // Three and four steps from the root the ring is lowest. The later of the two in the order may
    // be a route's end but not be passed: one of them never is.
    std::set<std::uint32_t> passed;
    for (const Switch to : ids<Switch>(7)) {
      for (const Switch from : ids<Switch>(7)) {
        const auto path =
            oracle::walk(fabric, routing, from, routing.tables.destination(to)).channels;
        for (std::size_t i = 1; i < path.size(); ++i)
          passed.insert(distance(fabric.owner(path[i])));
      }
    }
    EXPECT_TRUE(passed.contains(0));
    EXPECT_FALSE(passed.contains(3) && passed.contains(4));
  }
}

TEST(Updn, EverySwitchButTheFirstHasAnEarlierNeighbour) {
  for (const std::string_view name : test::small_fabric_names()) {
    const Fabric fabric = test::small_fabric(std::string(name));
    const PortGraph graph = port_graph(fabric);
    for (const std::uint32_t spread : {1U, 3U, 50U}) {  // any rank will do
      Table<Switch, std::uint32_t> rank(graph.size());
      for (const Switch s : ids<Switch>(graph.size())) rank[s] = index(s) * 7919 % spread;
      const Position position = joined_order(graph, rank, Switch{0});
      std::vector<char> taken(graph.size());
      for (const Switch s : ids<Switch>(graph.size())) {
        ASSERT_LT(position[s], graph.size());
        EXPECT_EQ(taken[position[s]]++, 0);
        bool earlier = position[s] == 0;
        for (const Switch to : graph.neighbours(s)) {
          earlier = earlier || position[to] < position[s];
        }
        EXPECT_TRUE(earlier) << name << " switch " << index(s);
      }
    }
  }
}

TEST(Updn, TheManagersLeafIsNoJoint) {
  const Fabric fabric = test::small_fabric("ft(8,2)");
  const PortGraph graph = port_graph(fabric);
  Table<Switch, std::uint32_t> rank(graph.size(), 0);
  for (const Switch leaf : ids<Switch>(8)) rank[leaf] = 1;
  EXPECT_EQ(joined_order(graph, rank, std::nullopt)[Switch{0}], 0U);
  EXPECT_NE(joined_order(graph, rank, Switch{0})[Switch{0}], 0U);
}

TEST(Updn, RefusesWhereOpensmFindsNoRootsAndTakesGivenOnes) {
  const Fabric fabric = test::small_fabric("ring of seven");
  EXPECT_THROW(route(find_engine("updn"), Model(fabric)), PromiseError);
  const Routing routing = route(find_engine("updn"), Model(fabric, {.roots = {Switch{2}}}));
  EXPECT_EQ(oracle::look_at_routes(fabric, routing).loops, 0U);
}

TEST(Updn, LeavesTwoRootsWithoutARoute) {
  const Fabric fabric = test::small_fabric("ft(8,2)");
  const Routing routing =
      route(find_engine("updn"),
            Model(fabric, {.roots = {Switch{8}, Switch{9}, Switch{10}, Switch{11}}}));
  const oracle::RouteFindings found = oracle::look_at_routes(fabric, routing);
  EXPECT_EQ(found.missing_switch, 12U);
  EXPECT_EQ(found.missing_terminal, 0U);
  EXPECT_TRUE(found.deadlock_free);
}

}  // namespace
}  // namespace fatwood
