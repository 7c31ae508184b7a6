// SPDX-License-Identifier: BSD-3-Clause
// Every engine keeps, on every fabric, what its row promises. Looked at by tests/oracle alone.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "oracle/legal.hpp"
#include "oracle/routes.hpp"
#include "routing/engine.hpp"
#include "support/engine_names.hpp"
#include "support/small_fabrics.hpp"
#include "topology/levels.hpp"

namespace fatwood {
namespace {

void expect_promise_kept(const Engine& engine, const Fabric& fabric, unsigned lmc) {
  Routing routing;
  try {
    routing = route(engine, Model(fabric), {.lmc = lmc, .max_lanes = 16});
  } catch (const PromiseError& error) {
    EXPECT_NE(engine.needs, "") << error.what();
    return;
  }
  if (routing.tables.num_targets() == 0) return;  // source routes: looked at elsewhere
  EXPECT_EQ(routing.engine, engine.name);
  EXPECT_EQ(routing.tables.lmc(), lmc);
  const oracle::RouteFindings found = oracle::look_at_routes(fabric, routing);
  EXPECT_EQ(found.loops, 0U);
  if (engine.pairs == Pairs::kLegal) {
    const oracle::LegalPairs legal = oracle::legal_pairs(fabric, find_levels(fabric).level);
    EXPECT_EQ(found.missing_terminal, legal.missing_terminal << lmc);
    EXPECT_EQ(found.missing_switch, legal.missing_switch);
  } else {
    EXPECT_EQ(found.missing_terminal, 0U);
  }
  if (engine.pairs == Pairs::kAll) {
    EXPECT_EQ(found.missing_switch, 0U);
  }
  EXPECT_GT(found.routes, 0U);
  EXPECT_LE(found.lanes, routing.lanes.count);
  if (engine.deadlock_free) {
    EXPECT_TRUE(found.deadlock_free);
  }
}

class EveryEngine : public testing::TestWithParam<std::string_view> {};

TEST_P(EveryEngine, KeepsItsPromiseOnEveryFabric) {
  const Engine& engine = find_engine(GetParam());
  for (const std::string_view name : test::small_fabric_names()) {
    SCOPED_TRACE(name);
    const Fabric fabric = test::small_fabric(std::string(name));
    expect_promise_kept(engine, fabric, 0);
    if (engine.lmc) expect_promise_kept(engine, fabric, 2);
  }
}

TEST_P(EveryEngine, GivesTheSameBytesAtAnyNumberOfThreads) {
  const Engine& engine = find_engine(GetParam());
  for (const std::string_view name : test::small_fabric_names()) {
    SCOPED_TRACE(name);
    const Fabric fabric = test::small_fabric(std::string(name));
    try {
      const Routing one = route(engine, Model(fabric), {.max_lanes = 16, .threads = 1});
      const Routing three = route(engine, Model(fabric), {.max_lanes = 16, .threads = 3});
      EXPECT_EQ(one.tables, three.tables);
      EXPECT_EQ(one.lanes.count, three.lanes.count);
      EXPECT_EQ(one.lanes.row_of, three.lanes.row_of);
      EXPECT_EQ(one.lanes.lane, three.lanes.lane);
    } catch (const PromiseError&) {
      EXPECT_NE(engine.needs, "");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Promises, EveryEngine, testing::ValuesIn(test::engine_names()),
                         test::engine_test_name);

TEST(Engines, UnknownNameListsTheKnown) {
  try {
    find_engine("fastest");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("minhop"), std::string::npos);
  }
}

TEST(Engines, OptionsThatCantBeAreRefused) {
  const Fabric fabric = test::small_fabric("ft(4,2)");
  const Engine& minhop = find_engine("minhop");
  EXPECT_THROW(route(minhop, Model(fabric), {.lmc = 8}), InputError);
  EXPECT_THROW(route(minhop, Model(fabric), {.order = {Terminal{99}}}), InputError);
  EXPECT_THROW(route(minhop, Model(fabric), {.order = {Terminal{1}, Terminal{1}}}), InputError);
  EXPECT_THROW(Model(fabric, {.roots = {Switch{99}}}), InputError);
}

}  // namespace
}  // namespace fatwood
