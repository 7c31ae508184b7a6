// SPDX-License-Identifier: BSD-3-Clause
// Trees of multicast groups: trees, over all members, from a switch nearest to the farthest.

#include "routing/tables/multicast.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <queue>
#include <set>

#include "core/random.hpp"
#include "support/small_fabrics.hpp"

namespace fatwood {
namespace {

// Hops from a switch through capable ones, over the fabric's own cables.
Table<Switch, int> hops_from(const Fabric& fabric, Switch from,
                             const Table<Switch, char>& capable) {
  Table<Switch, int> hops(fabric.num_switches(), -1);
  if (capable[from] == 0) return hops;
  std::queue<Switch> queue({from});
  hops[from] = 0;
  for (; !queue.empty(); queue.pop()) {
    const Node node = fabric.node(queue.front());
    for (const Channel c : fabric.channels(node)) {
      if (!fabric.connected(c) || !fabric.is_switch(fabric.neighbour(c))) continue;
      const Switch next = fabric.as_switch(fabric.neighbour(c));
      if (capable[next] == 0 || hops[next] >= 0) continue;
      hops[next] = hops[queue.front()] + 1;
      queue.push(next);
    }
  }
  return hops;
}

int greatest(const Table<Switch, int>& hops, const std::vector<Switch>& members) {
  int most = 0;
  for (const Switch s : members) {
    if (hops[s] < 0) return 1 << 20;
    most = std::max(most, hops[s]);
  }
  return most;
}

// Follows the tree from every member to the root and counts its switches.
void check_tree(const Fabric& fabric, const MulticastTree& tree, const std::vector<Switch>& members,
                const Table<Switch, char>& capable) {
  Table<Switch, Switch> parent(fabric.num_switches(), kNone<Switch>);
  std::set<Switch> seen{tree.root};
  for (const Channel c : tree.up) {
    const Switch s = fabric.as_switch(fabric.owner(c));
    ASSERT_TRUE(fabric.is_switch(fabric.neighbour(c)));
    ASSERT_EQ(parent[s], kNone<Switch>) << "two ways up";
    ASSERT_NE(s, tree.root);
    ASSERT_NE(capable[s], 0);
    parent[s] = fabric.as_switch(fabric.neighbour(c));
    seen.insert(s);
  }
  EXPECT_EQ(seen.size(), tree.up.size() + 1);
  std::set<Switch> needed{tree.root};
  const Table<Switch, int> hops = hops_from(fabric, tree.root, capable);
  for (const Switch member : members) {
    int steps = 0;
    for (Switch s = member; s != tree.root; s = parent[s], ++steps) {
      ASSERT_NE(parent[s], kNone<Switch>);
      ASSERT_LE(steps, 64);
      needed.insert(s);
    }
    EXPECT_EQ(steps, hops[member]) << "a longer way than there is";
  }
  EXPECT_EQ(needed, seen) << "branches without members";
}

std::vector<Switch> some_switches(const Fabric& fabric, std::uint64_t seed, std::size_t count) {
  std::set<Switch> chosen;
  Random random(seed, 0);
  while (chosen.size() < std::min(count, fabric.num_switches())) {
    chosen.insert(Switch{random.next32() % static_cast<std::uint32_t>(fabric.num_switches())});
  }
  return {chosen.begin(), chosen.end()};
}

TEST(Multicast, JoinsMembersFromASwitchNearestToTheFarthest) {
  for (const std::string_view name : test::small_fabric_names()) {
    SCOPED_TRACE(name);
    const Fabric fabric = test::small_fabric(std::string(name));
    const PortGraph graph = port_graph(fabric);
    const Table<Switch, char> capable(fabric.num_switches(), 1);
    for (std::uint32_t group = 0; group < 12; ++group) {
      const auto members = some_switches(fabric, group, 1 + group * group);
      const MulticastTree tree = multicast_tree(fabric, graph, members, capable, group);
      if (!tree.left_out.empty()) continue;  // the fabric is in parts
      check_tree(fabric, tree, members, capable);
      const int height = greatest(hops_from(fabric, tree.root, capable), members);
      for (const Switch s : ids<Switch>(fabric.num_switches())) {
        ASSERT_GE(greatest(hops_from(fabric, s, capable), members), height);
      }
    }
  }
}

TEST(Multicast, GoesRoundSwitchesThatCannotCopy) {
  const Fabric fabric = test::small_fabric("ft(4,3)");
  const PortGraph graph = port_graph(fabric);
  Table<Switch, char> capable(fabric.num_switches(), 1);
  for (std::uint32_t s = 17; s < 20; ++s) capable[Switch{s}] = 0;  // all roots but one
  const std::vector<Switch> members{Switch{0}, Switch{3}, Switch{7}};
  for (std::uint32_t group = 0; group < 8; ++group) {
    const MulticastTree tree = multicast_tree(fabric, graph, members, capable, group);
    EXPECT_TRUE(tree.left_out.empty());
    check_tree(fabric, tree, members, capable);
    EXPECT_EQ(tree.root, Switch{16});
  }
  capable[Switch{16}] = 0;
  const MulticastTree cut = multicast_tree(fabric, graph, members, capable, 0);
  EXPECT_EQ(cut.left_out.size(), 2U);
  capable[Switch{7}] = 0;
  const MulticastTree mute = multicast_tree(fabric, graph, std::vector{Switch{7}}, capable, 0);
  EXPECT_EQ(mute.left_out.size(), 1U);
  EXPECT_EQ(mute.root, kNone<Switch>);
}

TEST(Multicast, GroupsSpreadOverRoots) {
  const Fabric fabric = test::small_fabric("ft(8,2)");
  const PortGraph graph = port_graph(fabric);
  const Table<Switch, char> capable(fabric.num_switches(), 1);
  const std::vector<Switch> members{Switch{0}, Switch{1}, Switch{2}};
  std::set<Switch> roots;
  for (std::uint32_t group = 0; group < 4; ++group) {
    roots.insert(multicast_tree(fabric, graph, members, capable, group).root);
  }
  EXPECT_EQ(roots.size(), 4U);
}

}  // namespace
}  // namespace fatwood
