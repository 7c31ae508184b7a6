// SPDX-License-Identifier: BSD-3-Clause
// Pairs of faults that part hosts, held against taking out every pair; additions.

#include "topology/change/fault_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "io/fabric/spec.hpp"
#include "support/fabrics.hpp"
#include "support/sketch.hpp"
#include "topology/builder.hpp"
#include "topology/change/additions.hpp"

namespace fatwood {
namespace {

// A cable by its lower channel, or a switch.
struct One {
  Channel cable = kNone<Channel>;
  Switch gone = kNone<Switch>;
};

// The part of each switch without these; kNone for one that is gone.
std::vector<std::uint32_t> components_without(const Fabric& fabric,
                                              const std::vector<One>& faults) {
  std::vector<std::uint32_t> part(fabric.num_switches());
  for (std::uint32_t s = 0; s < part.size(); ++s) part[s] = s;
  const auto lost = [&](Channel c) {
    return std::ranges::any_of(faults, [&](const One& one) {
      return one.cable == c || one.cable == fabric.peer(c) ||
             (one.gone != kNone<Switch> && (fabric.owner(c) == fabric.node(one.gone) ||
                                            fabric.neighbour(c) == fabric.node(one.gone)));
    });
  };
  for (bool again = true; again;) {
    again = false;
    for (const Channel c : ids<Channel>(fabric.num_channels())) {
      if (!fabric.connected(c) || !fabric.is_switch(fabric.owner(c)) ||
          !fabric.is_switch(fabric.neighbour(c)) || lost(c)) {
        continue;
      }
      std::uint32_t& a = part[index(fabric.as_switch(fabric.owner(c)))];
      const std::uint32_t b = part[index(fabric.as_switch(fabric.neighbour(c)))];
      if (b < a) {
        a = b;
        again = true;
      }
    }
  }
  for (const One& one : faults) {
    if (one.gone != kNone<Switch>) part[index(one.gone)] = 0xffffffffU;
  }
  return part;
}

bool disconnects_hosts(const Fabric& fabric, const std::vector<One>& faults) {
  const std::vector<std::uint32_t> before = components_without(fabric, {});
  const std::vector<std::uint32_t> after = components_without(fabric, faults);
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    for (const Terminal u : ids<Terminal>(fabric.num_terminals())) {
      if (fabric.leaf(t) == kNone<Switch> || fabric.leaf(u) == kNone<Switch>) continue;
      const std::uint32_t a = index(fabric.leaf(t));
      const std::uint32_t b = index(fabric.leaf(u));
      if (after[a] == 0xffffffffU || after[b] == 0xffffffffU) continue;
      if (before[a] == before[b] && after[a] != after[b]) return true;
    }
  }
  return false;
}

using Key = std::array<std::uint32_t, 4>;

Key key(const One& a, const One& b) {
  return {index(a.cable), index(a.gone), index(b.cable), index(b.gone)};
}

std::set<Key> by_taking_out(const Fabric& fabric) {
  std::vector<One> all;
  for (const Switch s : ids<Switch>(fabric.num_switches())) all.push_back({.gone = s});
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (fabric.connected(c) && c < fabric.peer(c) && fabric.is_switch(fabric.owner(c)) &&
        fabric.is_switch(fabric.neighbour(c)) && fabric.owner(c) != fabric.neighbour(c)) {
      all.push_back({.cable = c});
    }
  }
  std::set<Key> found;
  std::vector<bool> alone;
  for (const One& one : all) alone.push_back(disconnects_hosts(fabric, {one}));
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      if (alone[i] || alone[j] || !disconnects_hosts(fabric, {all[i], all[j]})) continue;
      found.insert(key(all[i], all[j]));
    }
  }
  return found;
}

TEST(FaultPairs, AreThoseThatTakingOutFinds) {
  std::size_t seen = 0;
  const auto compare = [&](const Fabric& fabric) {
    std::set<Key> found;
    for (const FaultPair& pair : find_fault_pairs(Model(fabric), 1).pairs) {
      EXPECT_GT(pair.cut_off, 0U);
      found.insert(
          {index(pair.cable_a), index(pair.switch_a), index(pair.cable_b), index(pair.switch_b)});
    }
    EXPECT_EQ(found, by_taking_out(fabric));
    seen += found.size();
  };
  for (std::uint64_t seed = 1; seed <= 30; ++seed) compare(test::random_fabric(seed, 7));
  compare(test::ring(6));
  compare(make_fabric("xgft(2;2,3;1,2)"));
  compare(test::sketch("L1:2 L2:2 S1 S2 L1-S1 L1-S2 L2-S1*2 S2-S1"));
  EXPECT_GT(seen, 50U);
}

TEST(FaultPairs, ThreadsDoNotMatterAndThereIsALimit) {
  const Model model(test::ring(9));
  const FaultPairs all = find_fault_pairs(model, 1);
  EXPECT_EQ(all.pairs, find_fault_pairs(model, 3).pairs);
  EXPECT_TRUE(all.all);
  const FaultPairs some = find_fault_pairs(model, 1, 4);
  EXPECT_EQ(some.pairs.size(), 4U);
  EXPECT_FALSE(some.all);
}

TEST(Additions, ACableTakesFreePortsAndThenNewOnes) {
  const Model model(test::sketch("L1:2 L2:2 S1 L1-S1 L2-S1", 4));
  const Switch leaf = test::switch_named(model.fabric(), "L1");
  const Switch spine = test::switch_named(model.fabric(), "S1");
  const std::vector<NewCable> two(2, {.below = leaf, .above = spine});
  const Extended more = with_cables(model, two);
  EXPECT_EQ(more.cables, 2U);
  EXPECT_EQ(more.ports_lacking, 1U);  // the leaf has one port free, the spine two
  EXPECT_EQ(more.fabric.num_cables(), model.fabric().num_cables() + 2);
  EXPECT_EQ(more.fabric.ports(more.fabric.node(test::switch_named(more.fabric, "L1"))), 5U);
  EXPECT_EQ(with_cable_each(model, 1).cables, 2U);
}

// A cable is as fast as those that the switch has to that level; else as the first that it has.
TEST(Additions, ACableIsAsFastAsItsNeighbours) {
  const Rate fast = *parse_rate("4xHDR"), slow = *parse_rate("4xEDR");
  FabricBuilder builder;
  const auto leaf = builder.add_switch("L", 8), other = builder.add_switch("M", 8);
  const auto spine = builder.add_switch("S", 8), second = builder.add_switch("T", 8);
  const auto core = builder.add_switch("C", 8);
  builder.connect(leaf, Port{1}, builder.add_adapter("H1", 1), Port{1}, slow);
  builder.connect(other, Port{1}, builder.add_adapter("H2", 1), Port{1}, slow);
  builder.connect(leaf, Port{2}, spine, Port{1}, fast);
  builder.connect(leaf, Port{3}, spine, Port{2}, slow);
  builder.connect(other, Port{2}, second, Port{1}, slow);
  builder.connect(spine, Port{4}, core, Port{1}, slow);
  builder.connect(second, Port{4}, core, Port{2}, slow);
  const Model model(builder.build());
  const auto rate_of_new = [&](const char* below, const char* above, std::uint8_t port) {
    const std::vector<NewCable> one(1, {.below = test::switch_named(model.fabric(), below),
                                        .above = test::switch_named(model.fabric(), above)});
    const Fabric more = with_cables(model, one).fabric;
    return more.rate(more.channel(more.node(test::switch_named(more, below)), Port{port}));
  };
  ASSERT_EQ(model.levels().level[test::switch_named(model.fabric(), "C")], 3);
  EXPECT_EQ(rate_of_new("L", "S", 4), fast);
  EXPECT_EQ(rate_of_new("M", "T", 3), slow);
  EXPECT_EQ(rate_of_new("L", "C", 4), fast);  // none to that level yet
  EXPECT_EQ(rate_of_new("M", "C", 3), slow);
}

TEST(Additions, ASwitchIsCabledLikeItsSisters) {
  const Model model(make_fabric("xgft(2;2,3;1,2)"));
  const auto more = with_switch(model, 2);
  ASSERT_TRUE(more);
  EXPECT_EQ(more->cables, 3U);
  EXPECT_EQ(more->fabric.num_switches(), model.fabric().num_switches() + 1);
  const Model then(more->fabric);
  EXPECT_EQ(then.levels().level[Switch{static_cast<std::uint32_t>(model.fabric().num_switches())}],
            2);
  EXPECT_FALSE(with_switch(model, 7));
}

}  // namespace
}  // namespace fatwood
