// SPDX-License-Identifier: BSD-3-Clause
// ftree and sftree: shifts without conflicts, every pair on one lane, balance, addresses spread.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "core/error.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/fabric/spec.hpp"
#include "oracle/legal.hpp"
#include "oracle/routes.hpp"
#include "oracle/shifts.hpp"
#include "routing/engine.hpp"
#include "routing/tree/sub_tree.hpp"
#include "support/damaged_tree.hpp"
#include "support/level_use.hpp"
#include "support/real_fabrics.hpp"
#include "topology/builder.hpp"
#include "verify/deadlock/deadlock.hpp"
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
        const std::string name(fabric.id(fabric.adapter_node(t)));
        order.at(std::stoul(name.substr(1))) = t;
      }
      const Routing routing = route(ftree(), Model(fabric), {.order = order});
      for (std::size_t shift = 1; shift < order.size(); ++shift) {
        std::map<Channel, unsigned> flows;
        for (std::size_t i = 0; i < order.size(); ++i) {
          const Terminal to = order[(i + shift) % order.size()];
          const auto path =
              oracle::walk(fabric, routing, fabric.leaf(order[i]), routing.tables.destination(to));
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
  for (const Destination destination : ids<Destination>(without.tables.num_destinations())) {
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      if (without.tables.at(destination, s) != kNoRoute) {
        ASSERT_EQ(without.tables.at(destination, s), with.tables.at(destination, s));
      } else {
        ASSERT_NE(with.tables.at(destination, s), kNoRoute);
      }
    }
  }
}

TEST(Sftree, TheSubTreeAvoidsTheManagersLeaf) {
  const Fabric fabric = make_fabric("ft(6,3)");
  const UpDownOrder up_down(port_graph(fabric), find_levels(fabric));
  const Table<Switch, std::uint32_t> even(up_down.size());
  EXPECT_EQ(select_root(up_down, even, {}), Switch{0});
  EXPECT_EQ(select_root(up_down, even, Switch{0}), Switch{1});
  // Two cores reach each other by way of the root, and no route of theirs passes the manager's.
  const Routing routing = route(sftree(), Model(fabric), {.manager = Switch{0}});
  const auto last = static_cast<std::uint32_t>(fabric.num_switches());
  for (std::uint32_t a = last - 9; a < last; ++a) {
    for (std::uint32_t b = last - 9; b < last; ++b) {
      if (a == b) continue;
      const auto path =
          oracle::walk(fabric, routing, Switch{a}, routing.tables.destination(Switch{b}));
      ASSERT_TRUE(path.ok);
      for (const Channel c : path.channels) {
        EXPECT_NE(fabric.owner(c), fabric.node(Switch{0}));
      }
    }
  }
}

// Rails: leaves x0 and x1 under two spines, and y0 to y3 in a tree of three levels. Six hosts have
// their first port in x, four of them their second in y; another port leads to an adapter. And a
// spine without hosts, a switch without cables, one with a host alone.
Fabric rails(const std::string& which) {
  FabricBuilder builder;
  std::map<std::string, FabricBuilder::Handle> node;
  std::uint64_t guid = 100;
  const auto has = [&](char rail) { return which.find(rail) != std::string::npos; };
  for (const std::string name :
       {"x0", "y0", "y1", "x1", "y2", "x2", "y3", "x3", "y4", "y5", "y6", "z0", "z1", "z2", "z3"}) {
    ++guid;
    if (has(name[0])) node[name] = builder.add_switch(name, 8, guid);
  }
  const auto join = [&](const std::string& a, std::uint32_t port, const std::string& b,
                        std::uint32_t other) {
    if (!node.contains(a) || !node.contains(b)) return;
    builder.connect(node[a], static_cast<Port>(port), node[b], static_cast<Port>(other));
  };
  for (std::uint32_t i = 0; i < 8; ++i) {
    const std::string name = "h" + std::to_string(i);
    node[name] = builder.add_adapter(name, 2, 1000 - i);
    if (i < 6) join(name, 1, "x" + std::to_string(i % 2), 1 + i / 2);
    if (i < 4) join(name, 2, "y" + std::to_string(i), 1);
  }
  for (const std::string spine : {"x2", "x3"}) {
    const std::uint32_t up = spine == "x2" ? 7 : 8;
    join("x0", up, spine, 1);
    join("x1", up, spine, 2);
  }
  for (std::uint32_t i = 0; i < 4; ++i)
    join("y" + std::to_string(i), 8, i < 2 ? "y4" : "y5", 1 + i % 2);
  join("y4", 8, "y6", 1);
  join("y5", 8, "y6", 2);
  join("z0", 1, "z1", 1);
  join("z2", 1, "h6", 1);
  if (has('z')) join("h4", 2, "h7", 1);
  return builder.build();
}

// The entries that lead somewhere: switch, port of a leaf or switch, offset of the address.
std::map<std::tuple<std::string, std::string, std::uint32_t>, unsigned> entries_of(
    const Fabric& fabric, const ForwardingTables& tables) {
  std::map<std::tuple<std::string, std::string, std::uint32_t>, unsigned> entries;
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    const std::string name =
        tables.is_switch(destination)
            ? std::string(fabric.id(fabric.node(tables.as_switch(destination))))
            : port_name(fabric, fabric.peer(fabric.terminal_channel(tables.terminal(destination))));
    const std::uint32_t offset = index(destination) & ((1U << tables.lmc()) - 1);
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      if (tables.at(destination, s) == kNoRoute) continue;
      entries[{std::string(fabric.id(fabric.node(s))), name,
               tables.is_switch(destination) ? 0 : offset}] = index(tables.at(destination, s));
    }
  }
  return entries;
}

Switch switch_called(const Fabric& fabric, std::string_view id) {
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    if (fabric.id(fabric.node(s)) == id) return s;
  }
  return kNone<Switch>;
}

// Hints and options are for the part that they name; the others are as without them.
TEST(Sftree, PartsAreRoutedEachByItself) {
  const Fabric both = rails("xyz");
  ASSERT_EQ(Model(both).components().count, 5U);
  for (const char* name : {"sftree", "even"}) {
    const Engine& engine = find_engine(name);
    for (const unsigned lmc : {0U, 1U}) {
      for (const int hints : {0, 1, 2}) {
        const auto routes_of = [&](const Fabric& fabric, bool x, bool y) {
          ModelHints model;
          RouteOptions options{.lmc = lmc};
          if (hints == 2 && x) {
            for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
              if (fabric.leaf(t) == switch_called(fabric, "x0") && model.uncounted.empty()) {
                model.uncounted.push_back(t);
              }
            }
          }
          if (hints == 1 && x) {
            model.roots = {switch_called(fabric, "x3")};
            for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
              if (fabric.leaf(t) == switch_called(fabric, "x1")) options.order.push_back(t);
            }
            std::ranges::reverse(options.order);
          }
          if (hints == 1 && y) options.manager = switch_called(fabric, "y0");
          const Model whole(fabric, model);
          const Routing routing = route(engine, whole, options);
          EXPECT_EQ(routing.engine, name);
          EXPECT_TRUE(find_deadlock(fabric, routing, Sources::kAll, 1).free());
          return entries_of(fabric, routing.tables);
        };
        auto alone = routes_of(rails("x"), true, false);
        alone.merge(routes_of(rails("y"), false, true));
        const std::size_t addresses = std::size_t{1} << lmc;
        EXPECT_EQ(alone.size(), 4 * (6 * addresses + 4) + 7 * (4 * addresses + 7));
        auto together = routes_of(both, true, true);
        for (const auto& [entry, port] : alone) {
          ASSERT_EQ(together[entry], port) << std::get<0>(entry) << ' ' << std::get<1>(entry);
          together.erase(entry);
        }
        // Of two switches to each other, of three to themselves, and to the host.
        EXPECT_EQ(together.size(), 4 + 2 + addresses);
      }
    }
  }
}

TEST(Ftree, AFabricWithoutSwitchesIsRefused) {
  FabricBuilder builder;
  const auto host = builder.add_adapter("host", 1);
  builder.connect(host, Port{1}, builder.add_adapter("other", 1), Port{1});
  const Fabric fabric = builder.build();
  EXPECT_THROW(route(ftree(), Model(fabric)), PromiseError);
  // Nothing is joined by switches, and nothing is routed: as updn+ has it.
  EXPECT_EQ(route(sftree(), Model(fabric)).tables.num_destinations(), 2U);
}

TEST(Ftree, AFabricThatIsNoTreeIsRefusedWithItsSwitches) {
  try {
    route(ftree(), Model(make_fabric("torus(4,4)")));
    FAIL();
  } catch (const PromiseError& error) {
    EXPECT_NE(std::string(error.what()).find("no common ancestor"), std::string::npos);
  }
}

// The most loaded link compared with the least possible, with cables gone at random.
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
    for (const TerminalRole role : levels.role) counted.push_back(role == TerminalRole::kOnLeaf);
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
            const auto path =
                oracle::walk(fabric, routing, from, routing.tables.destination(t, offset));
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
      for (const Channel c : fabric.channels(node)) {
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
          const auto path =
              oracle::walk(fabric, routing, from, routing.tables.destination(t, offset));
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
    EXPECT_TRUE(std::ranges::equal(one.tables.row(one.tables.destination(t)),
                                   two.tables.row(two.tables.destination(t))));
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
