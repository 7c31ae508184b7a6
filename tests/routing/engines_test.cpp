// Every engine keeps, on every fabric, what its row promises. Looked at by tests/oracle alone.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/error.hpp"
#include "oracle/routes.hpp"
#include "routing/engine.hpp"
#include "support/small_fabrics.hpp"

namespace fatwood {
namespace {

struct Case {
  const Engine* engine;
  std::string fabric;
};

class EveryEngine : public testing::TestWithParam<Case> {};

TEST_P(EveryEngine, KeepsItsPromise) {
  const Engine& engine = *GetParam().engine;
  const Fabric fabric = test::small_fabric(GetParam().fabric);
  for (const unsigned lmc : {0U, 2U}) {
    if (lmc > 0 && !engine.lmc) continue;
    Routing routing;
    try {
      routing = route(engine, fabric, {.lmc = lmc, .max_lanes = 16});
    } catch (const PromiseError& error) {
      EXPECT_NE(engine.needs, "") << error.what();
      EXPECT_NE(std::string(error.what()), "");
      return;
    }
    if (routing.tables.num_targets() == 0) continue;  // source routes: looked at elsewhere
    EXPECT_EQ(routing.engine, engine.name);
    EXPECT_EQ(routing.tables.lmc(), lmc);
    const oracle::RouteFindings found = oracle::look_at_routes(fabric, routing);
    EXPECT_EQ(found.loops, 0U);
    EXPECT_EQ(found.missing_terminal, 0U);
    if (engine.pairs == Pairs::kAll) {
      EXPECT_EQ(found.missing_switch, 0U);
    }
    EXPECT_GT(found.routes, 0U);
    EXPECT_LE(found.lanes, routing.lanes.count);
    if (engine.deadlock_free) {
      EXPECT_TRUE(found.deadlock_free);
    }
  }
}

TEST_P(EveryEngine, GivesTheSameBytesAtAnyNumberOfThreads) {
  const Engine& engine = *GetParam().engine;
  const Fabric fabric = test::small_fabric(GetParam().fabric);
  try {
    const Routing one = route(engine, fabric, {.max_lanes = 16, .threads = 1});
    const Routing three = route(engine, fabric, {.max_lanes = 16, .threads = 3});
    EXPECT_EQ(one.tables, three.tables);
    EXPECT_EQ(one.lanes.count, three.lanes.count);
    EXPECT_EQ(one.lanes.row_of, three.lanes.row_of);
    EXPECT_EQ(one.lanes.lane, three.lanes.lane);
  } catch (const PromiseError&) {
    EXPECT_NE(engine.needs, "");
  }
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Engine& engine : engines()) {
    for (const std::string_view name : test::small_fabric_names()) {
      cases.push_back({&engine, std::string(name)});
    }
  }
  return cases;
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  std::string name = std::string(info.param.engine->name) + "_" + info.param.fabric;
  for (char& c : name) {
    if (c == '+') c = 'p';
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name + "_" + std::to_string(info.index);
}

INSTANTIATE_TEST_SUITE_P(Fabrics, EveryEngine, testing::ValuesIn(all_cases()), case_name);

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
  EXPECT_THROW(route(minhop, fabric, {.lmc = 8}), InputError);
  EXPECT_THROW(route(minhop, fabric, {.order = {Terminal{99}}}), InputError);
  EXPECT_THROW(route(minhop, fabric, {.order = {Terminal{1}, Terminal{1}}}), InputError);
  EXPECT_THROW(route(minhop, fabric, {.roots = {Switch{99}}}), InputError);
}

}  // namespace
}  // namespace fatwood
