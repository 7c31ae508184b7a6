// SPDX-License-Identifier: BSD-3-Clause
// ftree and sftree: shifts without conflicts, every pair on one lane, balance, addresses spread.

#include "routing/tree/ftree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/level_use.hpp"
#include "core/error.hpp"
#include "io/load_fabric.hpp"
#include "oracle/legal.hpp"
#include "oracle/routes.hpp"
#include "oracle/shifts.hpp"
#include "routing/engine.hpp"
#include "routing/tree/sub_tree.hpp"
#include "support/damaged_tree.hpp"
#include "support/real_fabrics.hpp"
#include "topology/builder.hpp"
#include "topology/spec.hpp"
#include "verify/verify.hpp"

namespace fatwood {
namespace {

const Engine& ftree() { return find_engine("ftree"); }
const Engine& sftree() { return find_engine("sftree"); }

TEST(Ftree, ShiftsOfCompleteRlftsAreFreeOfConflicts) {
  for (const char* spec :
       {"ft(4,2)", "ft(8,2)", "ft(4,3)", "ft(6,3)", "ft(4,4)", "pgft(2;4,4;1,2;1,2)",
        "pgft(3;6,6,4;1,6,2;1,1,3)", "pgft(3;4,2,4;1,2,2;1,2,2)", "pgft(3;6,3,4;1,3,2;1,2,3)"}) {
    const Fabric fabric = make_fabric(spec);
    for (const Engine* engine : {&ftree(), &sftree()}) {
      EXPECT_EQ(oracle::worst_shift(fabric, route(*engine, Model(fabric))), 1U)
          << spec << ' ' << engine->name;
    }
  }
}

// Port numbers and switch numbers in any order: columns are found all the same.
TEST(Ftree, ShiftsStayFreeOfConflictsWhenSwitchesAreShuffled) {
  for (const char* spec : {"ft(6,2)", "ft(6,3)", "ft(4,4)"}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Fabric fabric = test::damaged_tree(make_fabric(spec), seed, 0).fabric;
      // Terminals in the order of their names are those of the tree.
      std::vector<Terminal> order(fabric.num_terminals());
      for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
        const std::string name(fabric.id(fabric.adapter(t)));
        order.at(std::stoul(name.substr(1))) = t;
      }
      const Routing routing = route(ftree(), Model(fabric), {.order = order});
      for (std::size_t shift = 1; shift < order.size(); ++shift) {
        std::map<Channel, unsigned> flows;
        for (std::size_t i = 0; i < order.size(); ++i) {
          const Terminal to = order[(i + shift) % order.size()];
          const auto path =
              oracle::walk(fabric, routing, fabric.leaf(order[i]), routing.tables.target(to));
          for (const Channel c : path.channels) ASSERT_EQ(++flows[c], 1U) << spec << ' ' << shift;
        }
      }
    }
  }
}

TEST(Ftree, DamagedTreesAreRoutedWhereverARouteIsLegal) {
  for (const char* spec : {"ft(4,3)", "ft(8,2)", "ft(8,3)", "pgft(3;4,4,4;1,4,2;1,1,2)",
                           "xgft(3;5,4,6;1,3,4)", "kary(2,4)"}) {
    for (const double share : {0.01, 0.02, 0.05, 0.1}) {
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const Fabric fabric = test::damaged_tree(make_fabric(spec), seed, share, share).fabric;
        SCOPED_TRACE(testing::Message() << spec << ' ' << share << ' ' << seed);
        Routing routing = route(ftree(), Model(fabric));
        const auto found = oracle::look_at_routes(fabric, routing);
        const auto legal = oracle::legal_pairs(fabric, find_levels(fabric).level);
        EXPECT_EQ(found.missing_terminal, legal.missing_terminal);
        EXPECT_EQ(found.missing_switch, legal.missing_switch);
        EXPECT_EQ(found.loops, 0U);
        EXPECT_TRUE(found.deadlock_free);
        try {
          routing = route(sftree(), Model(fabric));
        } catch (const PromiseError& error) {
          EXPECT_NE(std::string(error.what()).find("no cable path"), std::string::npos);
          continue;
        }
        const auto all = oracle::look_at_routes(fabric, routing);
        EXPECT_EQ(all.missing_terminal + all.missing_switch + all.loops, 0U);
        EXPECT_TRUE(all.deadlock_free);
      }
    }
  }
}

class RealFabric : public testing::TestWithParam<std::string> {};

TEST_P(RealFabric, SftreeRoutesEveryPairOnOneLane) {
  const Fabric fabric = load_fabric(GetParam()).fabric;
  const Routing routing = route(sftree(), Model(fabric));
  EXPECT_TRUE(routing.lanes.single());
  const Verdict verdict = verify(Model(fabric), routing);
  EXPECT_TRUE(verdict.holds());
  const auto found = oracle::look_at_routes(fabric, routing);
  EXPECT_EQ(found.missing_terminal + found.missing_switch + found.loops, 0U);
  EXPECT_TRUE(found.deadlock_free);
}
INSTANTIATE_TEST_SUITE_P(Sftree, RealFabric, testing::ValuesIn(test::lifelike_fabrics()));

TEST(Sftree, FabricsOfPaper003HaveEveryPairOnOneLane) {
  for (const char* spec : {"switch648", "switch648+racks", "juropa"}) {
    const Fabric fabric = make_fabric(spec);
    EXPECT_TRUE(verify(Model(fabric), route(sftree(), Model(fabric))).holds()) << spec;
  }
}

TEST(Sftree, KeepsTheRoutesOfFtreeOnAWholeTree) {
  const Fabric fabric = make_fabric("ft(6,3)");
  const Routing without = route(ftree(), Model(fabric));
  const Routing with = route(sftree(), Model(fabric));
  for (const Target target : ids<Target>(without.tables.num_targets())) {
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      if (without.tables.at(target, s) != kNoRoute) {
        ASSERT_EQ(without.tables.at(target, s), with.tables.at(target, s));
      } else {
        ASSERT_NE(with.tables.at(target, s), kNoRoute);
      }
    }
  }
}

TEST(Sftree, TheSubTreeAvoidsTheManagersLeaf) {
  const Fabric fabric = make_fabric("ft(6,3)");
  const TreeClimb climb(port_graph(fabric), find_levels(fabric));
  const Table<Switch, std::uint32_t> even(climb.size());
  EXPECT_EQ(select_root(climb, even, {}), Switch{0});
  EXPECT_EQ(select_root(climb, even, Switch{0}), Switch{1});
  // Two cores reach each other by way of the root, and no route of theirs passes the manager's.
  const Routing routing = route(sftree(), Model(fabric), {.manager = Switch{0}});
  const auto last = static_cast<std::uint32_t>(fabric.num_switches());
  for (std::uint32_t a = last - 9; a < last; ++a) {
    for (std::uint32_t b = last - 9; b < last; ++b) {
      if (a == b) continue;
      const auto path = oracle::walk(fabric, routing, Switch{a}, routing.tables.target(Switch{b}));
      ASSERT_TRUE(path.ok);
      for (const Channel c : path.channels) {
        EXPECT_NE(fabric.owner(c), fabric.node(Switch{0}));
      }
    }
  }
}

TEST(Sftree, PartsOfAFabricAreNamed) {
  FabricBuilder builder;
  for (int i = 0; i < 2; ++i) {
    const auto leaf = builder.add_switch("leaf" + std::to_string(i), 4);
    const auto host = builder.add_adapter("host" + std::to_string(i), 1);
    builder.connect(leaf, 1, host, 1);
  }
  try {
    route(sftree(), Model(builder.build()));
    FAIL();
  } catch (const PromiseError& error) {
    EXPECT_NE(std::string(error.what()).find("leaf1"), std::string::npos) << error.what();
  }
}

TEST(Ftree, AFabricWithoutSwitchesIsRefused) {
  FabricBuilder builder;
  const auto host = builder.add_adapter("host", 1);
  builder.connect(host, 1, builder.add_adapter("other", 1), 1);
  const Fabric fabric = builder.build();
  EXPECT_THROW(route(ftree(), Model(fabric)), PromiseError);
  EXPECT_THROW(route(sftree(), Model(fabric)), PromiseError);
}

TEST(Ftree, AFabricThatIsNoTreeIsRefusedWithItsSwitches) {
  try {
    route(ftree(), Model(make_fabric("torus(4,4)")));
    FAIL();
  } catch (const PromiseError& error) {
    EXPECT_NE(std::string(error.what()).find("no common ancestor"), std::string::npos);
  }
}

// The fullest channel beside the least possible, with cables gone at random.
TEST(Ftree, LevelsStayBalancedWhereCablesAreMissing) {
  for (const char* spec : {"ft(16,2)", "ft(8,3)"}) {
    for (const double share : {0.0, 0.02, 0.05, 0.1}) {
      const Fabric fabric = test::damaged_tree(make_fabric(spec), 3, share).fabric;
      const Levels levels = find_levels(fabric);
      const Table<Terminal, std::uint8_t> all(fabric.num_terminals(), 1);
      for (const LevelUse& use :
           level_use(fabric, levels, all, route(ftree(), Model(fabric)).tables)) {
        if (share == 0) {
          EXPECT_EQ(use.up, use.least_up) << spec;
          EXPECT_EQ(use.down, use.least_down) << spec;
        } else if (use.below == 1) {
          EXPECT_LE(20 * use.up, 21 * use.least_up + 20) << spec << ' ' << share;
        }
        EXPECT_LE(use.down, 3 * use.least_down) << spec << ' ' << share;
      }
    }
  }
}

// One cable where others have two, leaves with fewer cables than others: no channel upwards carries
// more than the worst-off leaf must, and that is not paid for on the way down.
TEST(Ftree, LeavesOfRealFabricsCarryTheLeastUpwards) {
  struct Case {
    const char* name;
    std::vector<std::uint32_t> down;  // by level: the most
  };
  for (const auto& [name, down] :
       {Case{"dgx-ndr/ibnetdiscover.txt", {2}}, Case{"stage/ibnetdiscover.txt", {4}},
        Case{"x5/X5.topofile", {4}}, Case{"selene/selene.compute.txt", {12, 22}},
        Case{"like-dgx-ndr", {2}}, Case{"like-stage", {4}}, Case{"like-x5", {4}},
        Case{"like-selene", {20, 21}}}) {
    if (!test::is_here(name)) continue;
    const Fabric fabric = load_fabric(test::lifelike(name)).fabric;
    const Levels levels = find_levels(fabric);
    Table<Terminal, std::uint8_t> counted;
    for (const TerminalRole role : levels.role) counted.push_back(role == TerminalRole::kCompute);
    for (const Engine* engine : {&ftree(), &sftree()}) {
      const auto uses = level_use(fabric, levels, counted, route(*engine, Model(fabric)).tables);
      ASSERT_EQ(uses.size(), down.size());
      for (std::size_t i = 0; i < uses.size(); ++i) {
        EXPECT_LE(uses[i].up, uses[i].least_up) << name << ' ' << engine->name;
        EXPECT_LE(uses[i].down, down[i]) << name << ' ' << engine->name;
      }
    }
  }
}

// Half the terminals of a leaf: up-ports are still evenly used everywhere.
TEST(Ftree, UncountedTerminalsDoNotDisturbTheRest) {
  const Fabric fabric = make_fabric("ft(8,2)");
  std::vector<Terminal> uncounted;
  Table<Terminal, std::uint8_t> counted(fabric.num_terminals());
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (index(t) % 4 < 2) {
      uncounted.push_back(t);
    } else {
      counted[t] = 1;
    }
  }
  const Routing routing = route(ftree(), Model(fabric, {.uncounted = uncounted}));
  for (const LevelUse& use : level_use(fabric, find_levels(fabric), counted, routing.tables)) {
    EXPECT_EQ(use.up, use.least_up);  // 14 destinations elsewhere, 4 up-ports
    EXPECT_EQ(use.down, use.least_down);
  }
}

TEST(Ftree, AddressesOfATerminalComeDownByDifferentSwitches) {
  for (const char* spec : {"ft(8,2)", "ft(8,3)"}) {
    const Fabric fabric = make_fabric(spec);
    for (const Engine* engine : {&ftree(), &sftree()}) {
      const Routing routing = route(*engine, Model(fabric), {.lmc = 2});
      for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
        for (const Switch from : ids<Switch>(8)) {
          if (fabric.leaf(t) == from) continue;
          std::set<Node> parents;
          for (std::uint32_t offset = 0; offset < 4; ++offset) {
            const auto path = oracle::walk(fabric, routing, from, routing.tables.target(t, offset));
            ASSERT_GE(path.channels.size(), 3U);
            parents.insert(fabric.owner(path.channels[path.channels.size() - 2]));
          }
          ASSERT_EQ(parents.size(), 4U) << spec << ' ' << engine->name;
        }
      }
    }
  }
}

// Where cables are missing most still do: not all, since a top switch that many leaves have lost
// serves few sources. Looked at from leaves that reach every top switch.
TEST(Ftree, AddressesComeDownByDifferentSwitchesOfADamagedTree) {
  std::size_t taken = 0;
  std::size_t there = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Fabric fabric = test::damaged_tree(make_fabric("ft(8,2)"), seed, 0.12).fabric;
    const auto ups = [&](Switch s) {
      std::set<Node> above;
      const Node node = fabric.node(s);
      for (Port port = 1; port <= fabric.ports(node); ++port) {
        const Channel c = fabric.channel(node, port);
        if (fabric.connected(c) && fabric.is_switch(fabric.neighbour(c))) {
          above.insert(fabric.neighbour(c));
        }
      }
      return above;
    };
    const Routing routing = route(ftree(), Model(fabric), {.lmc = 2});
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      for (const Terminal source : ids<Terminal>(fabric.num_terminals())) {
        const Switch from = fabric.leaf(source);
        if (from == fabric.leaf(t) || ups(from).size() < 4) continue;
        std::set<Node> parents;
        for (std::uint32_t offset = 0; offset < 4; ++offset) {
          const auto path = oracle::walk(fabric, routing, from, routing.tables.target(t, offset));
          ASSERT_EQ(path.channels.size(), 3U);
          parents.insert(fabric.owner(path.channels[1]));
        }
        taken += parents.size();
        there += ups(fabric.leaf(t)).size();
      }
    }
  }
  EXPECT_GE(5 * taken, 4 * there) << taken << " of " << there;
}

// The first address of each terminal is routed as without further ones.
TEST(Ftree, MoreAddressesLeaveTheFirstAsItWas) {
  const Fabric fabric = make_fabric("ft(6,3)");
  const Routing one = route(ftree(), Model(fabric));
  const Routing two = route(ftree(), Model(fabric), {.lmc = 1});
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    EXPECT_TRUE(std::ranges::equal(one.tables.row(one.tables.target(t)),
                                   two.tables.row(two.tables.target(t))));
  }
}

TEST(Ftree, GivenRootsAreTheTop) {
  const Fabric fabric = make_fabric("ft(6,2)");
  const Routing found = route(ftree(), Model(fabric));
  const Routing given = route(ftree(), Model(fabric, {.roots = {Switch{6}, Switch{7}, Switch{8}}}));
  EXPECT_EQ(found.tables, given.tables);
}

}  // namespace
}  // namespace fatwood
