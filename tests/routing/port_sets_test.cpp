// SPDX-License-Identifier: BSD-3-Clause
// The value of adaptive tables against the obvious one: a list of ports for each entry.

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "core/random.hpp"
#include "routing/adaptive/port_sets_builder.hpp"
#include "routing/tables/routing.hpp"
#include "topology/builder.hpp"
#include "topology/generate/tree.hpp"

namespace fatwood {
namespace {

using Ports = std::vector<Port>;

Ports list(std::span<const Port> ports) { return {ports.begin(), ports.end()}; }

TEST(PortSets, SaysWhatAnEntryCanDo) {
  const Fabric fabric = make_tree(xgft({2, 2}, {1, 2}));  // leaves: hosts on 1, 2; up by 3, 4
  Routing routing;
  routing.tables = ForwardingTables(fabric.num_terminals(), fabric.num_switches(), 0);
  PortSetsBuilder builder(fabric);
  const Switch leaf{0};
  builder.add_group(leaf, 7,
                    {{.ports = {Port{4}, Port{3}}, .weight = 2}, {.ports = {}, .weight = 0}});
  builder.add_group(leaf, 9, {{.ports = {Port{4}}, .weight = 0}});
  builder.add_group(leaf, 11, {});
  const std::size_t switches = fabric.num_switches();
  const auto set = [&](Destination destination, EntryState state, GroupNumber group, Port own) {
    routing.tables.row(destination)[index(leaf)] = own;
    std::vector<PortSets::Kind> row(switches);
    row[index(leaf)] = builder.kind(leaf, state, group, own);
    builder.set_row(destination, row);
  };
  set(Destination{0}, EntryState::kStatic, 7, Port{1});
  set(Destination{1}, EntryState::kFree, 7, Port{3});
  set(Destination{2}, EntryState::kHashed, 9, Port{3});    // the default port is not in the group
  set(Destination{3}, EntryState::kBounded, 11, Port{4});  // nothing is in the group
  set(Destination{4}, EntryState::kFree, 9, kNoRoute);
  routing.sets = std::move(builder).build(routing.tables.num_destinations());

  ASSERT_FALSE(routing.sets.empty());
  EXPECT_EQ(list(routing.ports(leaf, Destination{0})), Ports{Port{1}});
  EXPECT_EQ(list(routing.ports(leaf, Destination{1})), (Ports{Port{3}, Port{4}}));
  EXPECT_EQ(list(routing.ports(leaf, Destination{2})), (Ports{Port{3}, Port{4}}));
  EXPECT_EQ(list(routing.ports(leaf, Destination{3})), Ports{Port{4}});
  EXPECT_EQ(list(routing.ports(leaf, Destination{4})), Ports{Port{4}});
  EXPECT_EQ(list(routing.ports(Switch{1}, Destination{4})), Ports{});
  EXPECT_EQ(routing.sets.state(leaf, Destination{0}), EntryState::kStatic);
  EXPECT_EQ(routing.sets.group(leaf, Destination{0}), kNoGroup);
  EXPECT_EQ(routing.sets.state(leaf, Destination{2}), EntryState::kHashed);
  EXPECT_EQ(routing.sets.group(leaf, Destination{2}), 9);
  EXPECT_EQ(routing.sets.state(leaf, Destination{3}), EntryState::kBounded);
  ASSERT_EQ(routing.sets.groups(leaf).size(), 3U);
  EXPECT_EQ(routing.sets.groups(leaf)[0].number, 7);
  EXPECT_EQ(routing.sets.content(routing.sets.groups(leaf)[0])[0].ports, (Ports{Port{4}, Port{3}}));
  EXPECT_EQ(routing.sets.content(routing.sets.groups(leaf)[0])[0].weight, 2);
  EXPECT_TRUE(routing.sets.groups(Switch{1}).empty());
}

TEST(PortSets, LeavesOutPortsWithoutACable) {
  FabricBuilder cables;
  const auto one = cables.add_switch("S0", 4);
  cables.connect(one, Port{3}, cables.add_switch("S1", 4), Port{1});  // and none at port 4
  const Fabric fabric = cables.build();
  PortSetsBuilder builder(fabric);
  builder.add_group(Switch{0}, 1, {{.ports = {Port{3}, Port{4}}, .weight = 0}});
  const PortSets::Kind kind = builder.kind(Switch{0}, EntryState::kFree, 1, Port{3});
  std::vector<PortSets::Kind> row(fabric.num_switches());
  row[0] = kind;
  builder.set_row(Destination{2}, row);
  const PortSets sets = std::move(builder).build(8);
  EXPECT_EQ(list(sets.ports(Switch{0}, Destination{2}, Port{3})), Ports{Port{3}});
  EXPECT_EQ(sets.content(sets.groups(Switch{0})[0])[0].ports, (Ports{Port{3}, Port{4}}));
}

TEST(PortSets, IsEmptyWhenAllIsStatic) {
  const Fabric fabric = make_tree(xgft({2, 2}, {1, 2}));
  PortSetsBuilder builder(fabric);
  builder.add_group(Switch{0}, 1, {{.ports = {Port{3}, Port{4}}, .weight = 0}});
  builder.set_row(Destination{1}, std::vector<PortSets::Kind>(fabric.num_switches()));
  const PortSets sets = std::move(builder).build(8);
  EXPECT_TRUE(sets.empty());
  EXPECT_EQ(sets, PortSets{});
  EXPECT_EQ(list(sets.ports(Switch{0}, Destination{1}, Port{2})), Ports{Port{2}});
  EXPECT_EQ(list(sets.ports(Switch{0}, Destination{1}, kNoRoute)), Ports{});
}

// Random entries of more kinds than a byte holds, against a map of them.
TEST(PortSets, HoldsAnyEntries) {
  const Fabric fabric = make_tree(xgft({20, 3}, {1, 20}));
  Random random(5, 1);
  const std::size_t destinations = 700;
  struct Entry {
    EntryState state = EntryState::kStatic;
    GroupNumber group = kNoGroup;
    Port own = kNoRoute;
  };
  PortSetsBuilder builder(fabric), again(fabric);
  std::map<std::pair<std::uint32_t, GroupNumber>, std::set<Port>> groups;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    for (GroupNumber g = 0; g < 150; ++g) {
      SubGroup part;
      const std::uint32_t ports = fabric.ports(fabric.node(s));
      for (std::uint32_t port = 1; port <= ports; ++port) {
        if (random.below(3) == 0) part.ports.push_back(static_cast<Port>(port));
      }
      groups[{index(s), g}] = {part.ports.begin(), part.ports.end()};
      builder.add_group(s, g, {part});
    }
    for (GroupNumber g = 150; g-- > 0;) {
      const auto& ports = groups[{index(s), g}];
      again.add_group(s, g, {{.ports = {ports.begin(), ports.end()}, .weight = 0}});
    }
  }
  std::vector<std::vector<Entry>> entries(destinations, std::vector<Entry>(fabric.num_switches()));
  for (std::size_t t = 0; t < destinations; ++t) {
    if (t % 5 == 4) {
      entries[t] = entries[t - 1];
      continue;
    }
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      Entry& entry = entries[t][index(s)];
      entry.own = static_cast<Port>(1 + random.below(fabric.ports(fabric.node(s))));
      if (random.below(4) == 0) continue;
      entry.state = random.below(2) == 0 ? EntryState::kFree : EntryState::kHashed;
      entry.group = static_cast<GroupNumber>(random.below(150));
    }
  }
  const auto fill = [&](PortSetsBuilder& to, std::size_t t) {
    std::vector<PortSets::Kind> row;
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      const Entry& entry = entries[t][index(s)];
      row.push_back(to.kind(s, entry.state, entry.group, entry.own));
    }
    to.set_row(static_cast<Destination>(t), row);
  };
  for (std::size_t t = 0; t < destinations; ++t) fill(builder, t);
  for (std::size_t t = destinations; t-- > 0;) fill(again, t);
  const PortSets sets = std::move(builder).build(destinations);
  const PortSets other = std::move(again).build(destinations);
  EXPECT_EQ(sets.num_rows(), destinations - destinations / 5 + 1);  // and the one of all static
  std::size_t most = 0;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    most = std::max(most, sets.num_kinds(s));
    for (std::size_t t = 0; t < destinations; ++t) {
      const Entry& entry = entries[t][index(s)];
      const auto destination = static_cast<Destination>(t);
      std::set<Port> expected = {entry.own};
      if (entry.state != EntryState::kStatic)
        expected.merge(std::set(groups[{index(s), entry.group}]));
      EXPECT_EQ(list(sets.ports(s, destination, entry.own)),
                Ports(expected.begin(), expected.end()));
      EXPECT_EQ(sets.state(s, destination), entry.state);
      EXPECT_EQ(sets.group(s, destination), entry.group);
    }
  }
  EXPECT_GT(most, 256U);
  EXPECT_EQ(sets, other);
}

// All shortest paths up as a group, as adaptive engines have it: far below a byte per entry.
TEST(PortSets, IsSmallOnALargeTree) {
  const Fabric fabric = make_tree(xgft({24, 24, 48}, {1, 24, 24}));
  const std::size_t switches = fabric.num_switches();
  const std::size_t destinations = fabric.num_terminals() + switches;
  PortSetsBuilder builder(fabric);
  std::vector<PortSets::Kind> up(switches, 0);
  PortGroup group(1);
  for (std::uint32_t port = 25; port <= 48; ++port)
    group[0].ports.push_back(static_cast<Port>(port));
  for (const Switch s : ids<Switch>(switches)) {
    builder.add_group(s, 1, group);
    up[index(s)] = builder.kind(s, EntryState::kFree, 1, Port{25});
  }
  for (const Destination destination : ids<Destination>(destinations)) {
    // Some 48 switches have a path down: here, those next to a number of the destination's leaf.
    std::vector<PortSets::Kind> row = up;
    const std::size_t leaf = index(destination) < fabric.num_terminals()
                                 ? index(fabric.leaf(static_cast<Terminal>(index(destination))))
                                 : index(destination) - fabric.num_terminals();
    for (std::size_t k = 0; k < 48; ++k) row[(leaf * 48 + k) % switches] = 0;
    row[leaf] = 0;
    builder.set_row(destination, row);
  }
  const PortSets sets = std::move(builder).build(destinations);
  EXPECT_LT(sets.bytes(), destinations * switches / 4);
}

}  // namespace
}  // namespace fatwood
