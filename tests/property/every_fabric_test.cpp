// SPDX-License-Identifier: BSD-3-Clause
// Every engine on every kind of fabric: tables that keep its promise, or a PromiseError that says
// why not, within the time and memory that docs/route.md states. Checked by tests/oracle alone.
//
// FATWOOD_FABRICS=N draws N fabrics instead of a few hundred, FATWOOD_FIRST_SEED=S others.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "io/fabric/spec.hpp"
#include "oracle/choices.hpp"
#include "oracle/legal.hpp"
#include "oracle/routes.hpp"
#include "oracle/walker.hpp"
#include "routing/engine.hpp"
#include "support/sketch.hpp"
#include "support/wiring.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood {
namespace {

// Far above what any of these fabrics takes (milliseconds, a few megabytes), far below a runaway.
constexpr double kMostSeconds = 10;
constexpr long kMostKilobytes = 1L << 20;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// What else runs on the machine does not count.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Ordered pairs that no cables join.
struct Disconnected {
  std::uint64_t to_terminals = 0, to_switches = 0;  // from switches
  std::uint64_t terminals = 0;                      // from terminals to terminals
};

Disconnected disconnected_pairs(const Fabric& fabric) {
  const std::size_t n = fabric.num_switches();
  std::vector<std::size_t> component(n);
  for (std::size_t s = 0; s < n; ++s) component[s] = s;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Channel c : ids<Channel>(fabric.num_channels())) {
      if (!fabric.connected(c) || !fabric.is_switch(fabric.owner(c)) ||
          !fabric.is_switch(fabric.neighbour(c)))
        continue;
      const std::size_t a = component[index(fabric.as_switch(fabric.owner(c)))];
      std::size_t& b = component[index(fabric.as_switch(fabric.neighbour(c)))];
      changed = changed || a < b;
      b = std::min(a, b);
    }
  }
  std::vector<std::uint64_t> switches(n), terminals(n);
  for (const std::size_t c : component) ++switches[c];
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    ++terminals[component[index(fabric.leaf(t))]];
  }
  Disconnected pairs{n * fabric.num_terminals(), n * n,
                     fabric.num_terminals() * fabric.num_terminals()};
  for (std::size_t c = 0; c < n; ++c) {
    pairs.to_terminals -= switches[c] * terminals[c];
    pairs.to_switches -= switches[c] * switches[c];
    pairs.terminals -= terminals[c] * terminals[c];
  }
  return pairs;
}

void expect_source_routes(const Fabric& fabric, const Routing& routing) {
  const Disconnected disconnected = disconnected_pairs(fabric);
  const oracle::Findings found = oracle::walk_all(fabric, routing);
  EXPECT_EQ(found.loops, 0U);
  EXPECT_EQ(found.unreachable.terminal_terminal, disconnected.terminals);
  EXPECT_EQ(found.unreachable.switch_switch, disconnected.to_switches);
  for (const oracle::Edges& lane : found.dependencies) EXPECT_FALSE(oracle::has_cycle(lane));
}

void expect_tables(const Engine& engine, const Fabric& fabric, const Routing& routing) {
  const oracle::RouteFindings found = oracle::look_at_routes(fabric, routing);
  const unsigned lmc = routing.tables.lmc();
  EXPECT_EQ(found.loops, 0U);
  EXPECT_LE(found.lanes, routing.lanes.count);
  EXPECT_TRUE(found.deadlock_free || !engine.has(Engine::kDeadlockFree));
  if (engine.pairs == Pairs::kLegal) {
    const oracle::LegalPairs legal = oracle::legal_pairs(fabric, find_levels(fabric).level);
    EXPECT_EQ(found.missing_terminal, legal.missing_terminal << lmc);
    EXPECT_EQ(found.missing_switch, legal.missing_switch);
    return;
  }
  if (engine.pairs == Pairs::kSome) return;
  const Disconnected disconnected = disconnected_pairs(fabric);
  EXPECT_EQ(found.missing_terminal, disconnected.to_terminals << lmc);
  EXPECT_TRUE(found.missing_switch == disconnected.to_switches || engine.pairs != Pairs::kAll);
}

// Whatever ports a switch takes: every packet that has a route arrives, and nothing deadlocks if
// the engine promises that.
void expect_groups(const Engine& engine, const Fabric& fabric, const Routing& routing) {
  if (routing.sets.empty()) return;
  const oracle::AllChoices all = oracle::try_all_choices(fabric, routing);
  if (all.gave_up) return;
  EXPECT_FALSE(all.loops);
  EXPECT_EQ(all.unreachable, all.never);
  EXPECT_TRUE(!engine.has(Engine::kDeadlockFree) || !oracle::has_cycle(all.dependencies));
}

void expect_promise_kept(const Engine& engine, const Fabric& fabric, const RouteOptions& options) {
  const double start = processor_seconds();
  Routing routing;
  try {
    routing = route(engine, Model(fabric), options);
  } catch (const PromiseError& error) {
    // Engines for any fabric refuse only when max_lanes lanes do not suffice.
    const bool takes_lanes =
        engine.name == "dfsssp" || engine.name == "lash" || engine.name == "nue";
    EXPECT_TRUE(!engine.needs.empty() || takes_lanes) << engine.name << ": " << error.what();
    EXPECT_STRNE(error.what(), "");
    return;
  }
  EXPECT_LT(processor_seconds() - start, kMostSeconds);
  if (engine.pairs == Pairs::kPerPair) {
    expect_source_routes(fabric, routing);
  } else {
    expect_tables(engine, fabric, routing);
    expect_groups(engine, fabric, routing);
  }
}

void expect_all_engines(const Fabric& fabric) {
  for (const Engine& engine : engines()) {
    SCOPED_TRACE(engine.name);
    expect_promise_kept(engine, fabric, {.max_lanes = 16, .threads = 1});
    if (engine.has(Engine::kLmc))
      expect_promise_kept(engine, fabric, {.lmc = 1, .max_lanes = 2, .threads = 1});
  }
}

TEST(EveryFabric, IsRoutedAsPromisedOrRefusedWithAReason) {
  const std::uint64_t first = number_from("FATWOOD_FIRST_SEED", 1);
  const std::uint64_t count = number_from("FATWOOD_FABRICS", 200);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const test::DrawnFabric drawn = test::draw_fabric(seed);
    SCOPED_TRACE(drawn.name);
    expect_all_engines(drawn.fabric);
    if (testing::Test::HasFailure()) return;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  EXPECT_LT(usage.ru_maxrss, kMostKilobytes);
}

// The shortest path up from a switch to the one where its route turns down passes another switch
// above the destination, which has to go down. sftree and even did not end on these.
TEST(EveryFabric, ClimbsThatPassSwitchesWhichMustDescend) {
  const Fabric fabric =
      test::sketch("A B C D E F G J A-J A-C B-D B-F C-J C-E D-G E-J E-F F-J G-J A:1 B:1 G:1");
  expect_all_engines(fabric);
  for (const char* spec :
       {"random(12,24,seed=18061,terminals=6)", "random(14,27,seed=87899)",
        "random(15,30,seed=62283,terminals=3)", "random(16,32,seed=89983,terminals=8)"}) {
    SCOPED_TRACE(spec);
    expect_all_engines(make_fabric(spec));
  }
}

// 28 levels up with two switches in each: 2^28 shortest paths, each switch visited once.
TEST(EveryFabric, NoEngineFollowsEachOfManyPaths) {
  const Fabric fabric = test::build(test::towers(28));
  for (const Engine& engine : engines()) {
    SCOPED_TRACE(engine.name);
    if (!engine.has(Engine::kAdaptive))
      expect_promise_kept(engine, fabric, {.max_lanes = 16, .threads = 1});
  }
}

}  // namespace
}  // namespace fatwood
