// SPDX-License-Identifier: BSD-3-Clause
// Every engine keeps, on every lifelike fabric, what its row promises, or says why it can't: by the
// verifier, and on the smaller ones by tests/oracle too.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "io/fabric/load_fabric.hpp"
#include "oracle/legal.hpp"
#include "oracle/routes.hpp"
#include "routing/engine.hpp"
#include "support/engine_names.hpp"
#include "support/real_fabrics.hpp"
#include "support/shuffle.hpp"
#include "topology/levels/levels.hpp"
#include "verify/deadlock/deadlock.hpp"
#include "verify/verify.hpp"

namespace fatwood {
namespace {

constexpr std::size_t kSmall = 100;  // switches

void expect_pairs(const Engine& engine, const Fabric& fabric, const Verdict& verdict) {
  const PairCounts& lost = verdict.reachability.unreachable;
  EXPECT_EQ(verdict.reachability.loops, 0U);
  switch (engine.pairs) {
    case Pairs::kSome:
      break;
    case Pairs::kAll:
    case Pairs::kPerPair:
      EXPECT_EQ(lost.total(), 0U);
      break;
    case Pairs::kTerminalsAndLegal:
      EXPECT_EQ(lost.terminal_terminal + lost.switch_terminal, 0U);
      break;
    case Pairs::kLegal: {
      const oracle::LegalPairs legal = oracle::legal_pairs(fabric, find_levels(fabric).level);
      EXPECT_EQ(lost.switch_terminal, legal.missing_terminal);
      EXPECT_EQ(lost.switch_switch, legal.missing_switch);
    }
  }
}

void expect_promise_kept(const Engine& engine, const Fabric& fabric) {
  // nue takes minutes for several hundred switches: too long for a test.
  constexpr std::size_t kMostForNue = 200;
  if (engine.name == "nue" && fabric.num_switches() > kMostForNue) return;
  Routing routing;
  try {
    routing = route(engine, Model(fabric), {.max_lanes = 16});
  } catch (const PromiseError& error) {
    EXPECT_NE(engine.needs, "") << error.what();
    // Real fabrics are like trees, and none is whole. In most OpenSM finds no roots for updn.
    EXPECT_TRUE(engine.needs == "a complete tree" || engine.name == "updn") << error.what();
    EXPECT_GT(std::string(error.what()).size(), 20U);
    return;
  }
  const Verdict verdict = verify(Model(fabric), routing);
  expect_pairs(engine, fabric, verdict);
  if (engine.has(Engine::kDeadlockFree)) {
    EXPECT_TRUE(verdict.deadlock.free());
  }
  if (fabric.num_switches() > kSmall || routing.tables.num_destinations() == 0) return;
  const oracle::RouteFindings found = oracle::look_at_routes(fabric, routing);
  EXPECT_EQ(found.missing_terminal, verdict.reachability.unreachable.switch_terminal);
  EXPECT_EQ(found.missing_switch, verdict.reachability.unreachable.switch_switch);
  EXPECT_EQ(found.loops, verdict.reachability.loops);
  // Of adaptive tables these are the default ports: a part of what can happen.
  EXPECT_TRUE(found.deadlock_free || !verdict.deadlock.free());
  EXPECT_TRUE(verdict.deadlock.free() || !found.deadlock_free || !routing.sets.empty());
}

class RealFabrics : public testing::TestWithParam<std::string_view> {};

TEST_P(RealFabrics, KeepTheEnginesPromise) {
  for (const std::string& name : test::lifelike_fabrics()) {
    SCOPED_TRACE(name);
    expect_promise_kept(find_engine(GetParam()), load_fabric(name).fabric);
  }
}

// A live fabric is swept in another order than its file has.
TEST(RealFabricsInAnyOrder, EightLanesWillDo) {
  std::uint64_t seed = 0;
  for (const std::string& name : test::here({"like-selene", "selene/selene.compute.txt"})) {
    const Fabric fabric = test::shuffled(load_fabric(name).fabric, ++seed);
    for (const std::string_view engine : {"dfsssp", "lash"}) {
      SCOPED_TRACE(std::string(engine) + " on " + name);
      const Routing routing = route(find_engine(engine), Model(fabric), {.max_lanes = 8});
      EXPECT_LE(routing.lanes.count, 8U);
      EXPECT_TRUE(find_deadlock(fabric, routing).free());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, RealFabrics, testing::ValuesIn(test::engine_names()),
                         test::engine_test_name);

}  // namespace
}  // namespace fatwood
