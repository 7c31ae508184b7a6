// SPDX-License-Identifier: BSD-3-Clause
// Trees with up to half of their cables cut and switches removed, shuffled: each part that is still
// connected is ranked as a tree and routed by sftree and even as if it were alone, every pair on
// one lane, and no entry leads to another part. And any other heap of connected switches is routed
// as well: the promise does not hang on recognition.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "io/fabric/spec.hpp"
#include "oracle/certificate_check.hpp"
#include "oracle/routes.hpp"
#include "routing/engine.hpp"
#include "support/damaged_tree.hpp"
#include "topology/change/faults.hpp"
#include "topology/levels/levels.hpp"
#include "verify/certificate/certificate.hpp"
#include "verify/deadlock/deadlock.hpp"

namespace fatwood {
namespace {

constexpr const char* kTrees[] = {
    "xgft(3;3,3,4;1,3,3)",       "kary(2,4)",       "kary(3,3)", "ft(4,3)", "ft(4,4)",
    "pgft(3;3,3,3;1,3,3;1,1,2)", "xgft(2;4,9;1,6)", "ft(8,2)"};

// Switches joined to the first one by a walk over ports: nothing of the library but peer().
std::set<Switch> joined_to(const Fabric& fabric, Switch start) {
  std::set<Switch> seen{start};
  std::vector<Switch> todo{start};
  while (!todo.empty()) {
    const Node node = fabric.node(todo.back());
    todo.pop_back();
    for (const Channel c : fabric.channels(node)) {
      if (!fabric.connected(c) || !fabric.is_switch(fabric.neighbour(c))) continue;
      const Switch next = fabric.as_switch(fabric.neighbour(c));
      if (seen.insert(next).second) todo.push_back(next);
    }
  }
  return seen;
}

std::size_t hosts_of(const Fabric& fabric, const std::set<Switch>& component) {
  std::size_t count = 0;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals()))
    count += component.count(fabric.leaf(t));
  return count;
}

std::vector<std::set<Switch>> all_components(const Fabric& fabric) {
  std::vector<std::set<Switch>> components;
  std::set<Switch> seen;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    if (seen.count(s) != 0) continue;
    components.push_back(joined_to(fabric, s));
    seen.insert(components.back().begin(), components.back().end());
  }
  return components;
}

// The part with most hosts, then switches, then the first.
const std::set<Switch>& main_component(const Fabric& fabric,
                                       const std::vector<std::set<Switch>>& components) {
  return *std::ranges::max_element(components, {}, [&](const std::set<Switch>& component) {
    return std::pair(hosts_of(fabric, component), component.size());
  });
}

Fabric broken_tree(std::uint64_t seed) {
  Random random(seed);
  const Fabric whole = make_fabric(kTrees[random.below(std::size(kTrees))]);
  const double share = 0.5 * random.uniform();
  const double host_share = random.below(2) == 0 ? 0.0 : share;
  const Fabric cut = test::damaged_tree(whole, seed, share, host_share).fabric;
  ResolvedFaults dead;
  std::set<std::uint32_t> switches;
  for (std::uint32_t i = random.below(4); i > 0; --i) {
    switches.insert(random.below(static_cast<std::uint32_t>(cut.num_switches())));
  }
  for (const std::uint32_t s : switches) dead.removed.push_back(cut.node(Switch{s}));
  return with_faults(cut, dead);
}

// The fabric without all that is not in that part.
Fabric only(const Fabric& fabric, const std::set<Switch>& component) {
  ResolvedFaults rest;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    if (component.count(s) == 0) rest.removed.push_back(fabric.node(s));
  }
  return with_faults(fabric, rest);
}

constexpr const char* kPartEngines[] = {"sftree", "even"};

void expect_every_pair(const Fabric& fabric) {
  for (const char* engine : kPartEngines) {
    SCOPED_TRACE(engine);
    const Routing routing = route(find_engine(engine), Model(fabric), {.threads = 1});
    const auto found = oracle::look_at_routes(fabric, routing);
    EXPECT_EQ(found.missing_terminal, 0U);
    EXPECT_EQ(found.missing_switch, 0U);
    EXPECT_EQ(found.loops, 0U);
    EXPECT_LE(found.lanes, 1U);
    EXPECT_TRUE(found.deadlock_free);
  }
}

// Pairs of switches, the same one twice among them.
struct SwitchPairs {
  std::uint64_t joined = 0, disconnected = 0;
};
SwitchPairs pairs_of_switches(const Fabric& fabric,
                              const std::vector<std::set<Switch>>& components) {
  SwitchPairs pairs;
  for (const auto& component : components) pairs.joined += component.size() * component.size();
  pairs.disconnected = fabric.num_switches() * fabric.num_switches() - pairs.joined;
  return pairs;
}

// Every pair that cables join, none else; and the proof is accepted.
void expect_every_joined_pair(const Fabric& fabric, const Routing& routing,
                              const std::vector<std::set<Switch>>& components) {
  const auto found = oracle::look_at_routes(fabric, routing);
  std::uint64_t to_terminals = 0;  // pairs of a switch and a terminal that cables join
  for (const auto& component : components)
    to_terminals += component.size() * hosts_of(fabric, component);
  const SwitchPairs switches = pairs_of_switches(fabric, components);
  EXPECT_EQ(found.missing_terminal, fabric.num_terminals() * fabric.num_switches() - to_terminals);
  EXPECT_EQ(found.missing_switch, switches.disconnected);
  EXPECT_EQ(found.loops, 0U);
  EXPECT_LE(found.lanes, 1U);
  EXPECT_TRUE(found.deadlock_free);
  std::uint64_t entries = 0;
  for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
    const auto row = routing.tables.row(destination);
    entries += row.size() - static_cast<std::uint64_t>(std::ranges::count(row, kNoRoute));
  }
  EXPECT_EQ(entries, to_terminals + switches.joined);
  std::stringstream proof;
  write_certificate(proof, fabric, routing, Sources::kAll,
                    find_deadlock(fabric, routing, Sources::kAll, 1));
  EXPECT_EQ(oracle::check_certificate(proof, "proof", fabric, routing, 1).why_not, "");
}

// The tables of the part, which keeps the order of its switches and terminals.
void expect_as_alone(const Routing& whole, const Fabric& fabric, const Routing& alone,
                     const std::set<Switch>& component) {
  std::vector<Destination> destinations;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (component.count(fabric.leaf(t)) != 0) destinations.push_back(whole.tables.destination(t));
  }
  for (const Switch s : component) destinations.push_back(whole.tables.destination(s));
  ASSERT_EQ(destinations.size(), alone.tables.num_destinations());
  for (std::uint32_t i = 0; i < destinations.size(); ++i) {
    std::uint32_t number = 0;
    for (const Switch s : component) {
      ASSERT_EQ(whole.tables.at(destinations[i], s),
                alone.tables.at(Destination{i}, Switch{number++}));
    }
  }
}

TEST(BrokenTrees, EveryPartIsRoutedAsIfItWereAlone) {
  unsigned whole = 0, parted = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Fabric fabric = broken_tree(seed);
    if (fabric.num_terminals() == 0) continue;
    const std::vector<std::set<Switch>> components = all_components(fabric);
    const std::set<Switch>& component = main_component(fabric, components);
    ++(components.size() == 1 ? whole : parted);
    const Fabric left = only(fabric, component);
    const Levels levels = find_levels(left);
    EXPECT_TRUE(levels.is_tree()) << levels.why_not_tree;
    EXPECT_NO_THROW(route(find_engine("ftree"), Model(left)));
    for (const char* engine : kPartEngines) {
      SCOPED_TRACE(engine);
      const Routing routing = route(find_engine(engine), Model(fabric), {.threads = 1});
      expect_every_joined_pair(fabric, routing, components);
      const Routing alone = route(find_engine(engine), Model(left), {.threads = 1});
      expect_as_alone(routing, fabric, alone, component);
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(whole, 100U);
  EXPECT_GT(parted, 100U);
}

// All that is reached by steps that go up (or down) in those ranks.
std::set<Switch> spread(const Fabric& fabric, const Table<Switch, Level>& level,
                        std::set<Switch> from, int direction) {
  std::vector<Switch> todo(from.begin(), from.end());
  while (!todo.empty()) {
    const Switch s = todo.back();
    todo.pop_back();
    const Node node = fabric.node(s);
    for (const Channel c : fabric.channels(node)) {
      if (!fabric.connected(c) || !fabric.is_switch(fabric.neighbour(c))) continue;
      const Switch next = fabric.as_switch(fabric.neighbour(c));
      if ((int{level[next]} - int{level[s]}) * direction <= 0) continue;
      if (from.insert(next).second) todo.push_back(next);
    }
  }
  return from;
}

// Pairs of switches with hosts that no switch is above.
std::size_t disconnected_leaves(const Fabric& fabric, const Table<Switch, Level>& level) {
  std::set<Switch> leaves;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) leaves.insert(fabric.leaf(t));
  std::size_t disconnected = 0;
  for (const Switch a : leaves) {
    const auto met = spread(fabric, level, spread(fabric, level, {a}, 1), -1);
    for (const Switch b : leaves) disconnected += 1 - met.count(b);
  }
  return disconnected;
}

TEST(BrokenTrees, RanksJoinAllHostsThatTheTrueOnesJoin) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Fabric fabric = broken_tree(seed);
    Table<Switch, Level> truth(fabric.num_switches());
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      truth[s] = static_cast<Level>(test::level_in_name(fabric.id(fabric.node(s))));
    }
    EXPECT_LE(disconnected_leaves(fabric, find_levels(fabric).level),
              disconnected_leaves(fabric, truth));
  }
}

TEST(AnyConnectedFabric, IsRoutedBySftreeOnOneLane) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const std::uint32_t switches = 2 + random.below(20);
    const std::uint32_t most = switches * (switches - 1) / 2;
    const std::uint32_t links = std::min(most, switches - 1 + random.below(3 * switches));
    expect_every_pair(make_fabric("random(" + std::to_string(switches) + "," +
                                  std::to_string(links) + ",seed=" + std::to_string(seed) + ")"));
  }
  for (const char* spec : {"ring(9)", "ring(300)", "torus(4,5)", "torus(3,3,3)", "hypercube(4)"}) {
    SCOPED_TRACE(spec);
    expect_every_pair(make_fabric(spec));
  }
}

}  // namespace
}  // namespace fatwood
