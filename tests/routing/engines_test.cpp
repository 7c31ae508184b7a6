// SPDX-License-Identifier: BSD-3-Clause
// Every engine keeps, on every fabric, what its row promises. Looked at by tests/oracle alone.

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/fabric/spec.hpp"
#include "oracle/legal.hpp"
#include "oracle/routes.hpp"
#include "routing/engine.hpp"
#include "routing/tables/fingerprint.hpp"
#include "support/engine_names.hpp"
#include "support/small_fabrics.hpp"
#include "topology/change/faults.hpp"
#include "topology/levels/levels.hpp"

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
  if (routing.tables.num_destinations() == 0) return;  // source routes: looked at elsewhere
  EXPECT_EQ(routing.engine, engine.name);
  EXPECT_EQ(routing.tables.lmc(), lmc);
  const oracle::RouteFindings found = oracle::look_at_routes(fabric, routing);
  EXPECT_EQ(found.loops, 0U);
  if (engine.pairs == Pairs::kLegal) {
    const oracle::LegalPairs legal = oracle::legal_pairs(fabric, find_levels(fabric).level);
    EXPECT_EQ(found.missing_terminal, legal.missing_terminal << lmc);
    EXPECT_EQ(found.missing_switch, legal.missing_switch);
  } else if (engine.pairs != Pairs::kSome) {
    EXPECT_EQ(found.missing_terminal, 0U);
  }
  if (engine.pairs == Pairs::kAll) {
    EXPECT_EQ(found.missing_switch, 0U);
  }
  EXPECT_GT(found.routes, 0U);
  EXPECT_LE(found.lanes, routing.lanes.count);
  if (engine.has(Engine::kDeadlockFree)) {
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
    if (engine.has(Engine::kLmc)) expect_promise_kept(engine, fabric, 2);
  }
}

// What an engine could look at, and a flag of its row that says whether it does.
struct Look {
  std::string_view what;
  Engine::Flag flag;
  // All ways to ask for it on this fabric.
  std::vector<std::pair<RouteOptions, ModelHints>> (*requests)(const Fabric&);
};
using Requests = std::vector<std::pair<RouteOptions, ModelHints>>;

const Look kLooks[] = {
    {"order", Engine::kOrder,
     [](const Fabric& fabric) {
       std::vector<Terminal> order;
       for (const Terminal t : ids<Terminal>(fabric.num_terminals()))
         order.insert(order.begin(), t);
       return Requests{{{.order = order}, {}}};
     }},
    {"choice", Engine::kAdaptive,
     [](const Fabric&) {
       return Requests{{{.choice = EntryState::kHashed}, {}},
                       {{.choice = EntryState::kBounded}, {}}};
     }},
    {"groups", Engine::kAdaptive, [](const Fabric&) { return Requests{{{.max_groups = 0}, {}}}; }},
    {"aim", Engine::kAims, [](const Fabric&) { return Requests{{{.aim = Aim::kShifts}, {}}}; }},
    {"effort", Engine::kAims, [](const Fabric&) { return Requests{{{.quick = true}, {}}}; }},
};

// All that an engine made, or why it did not.
std::string made_by(const Engine& engine, const Fabric& fabric, const RouteOptions& options,
                    const ModelHints& hints) {
  try {
    const Routing made = engine.route(Model(fabric, hints), options);
    std::string text = std::to_string(fingerprint(fabric, made));
    for (const auto lane : made.lanes.lane) text += static_cast<char>('a' + lane);
    for (const Switch s : ids<Switch>(made.sets.empty() ? 0 : fabric.num_switches())) {
      text += to_string(made.sets.state(s, made.tables.destination(Terminal{0})));
    }
    return text;
  } catch (const PromiseError& error) {
    return error.what();
  }
}

TEST_P(EveryEngine, LooksAtWhatItsRowSaysAndAtNothingElse) {
  const Engine& engine = find_engine(GetParam());
  std::vector<Fabric> fabrics;
  for (const char* spec :
       {"ft(4,3)", "torus(4,4)", "random(16,32,seed=3001)", "like-stage", "like-x5"}) {
    fabrics.push_back(make_fabric(spec));
  }
  const FaultRequest cut{FaultKind::kCut, "8%", {}};
  const Fabric whole = make_fabric("ft(8,3)");
  fabrics.push_back(with_faults(whole, find_faults(whole, std::span(&cut, 1))));
  std::vector<std::string> usual;
  for (const Fabric& fabric : fabrics) usual.push_back(made_by(engine, fabric, {}, {}));
  for (const Look& look : kLooks) {
    SCOPED_TRACE(look.what);
    bool differs = false;
    for (std::size_t i = 0; i < fabrics.size() && !differs; ++i) {
      for (const auto& [options, hints] : look.requests(fabrics[i])) {
        differs = differs || made_by(engine, fabrics[i], options, hints) != usual[i];
      }
    }
    EXPECT_EQ(differs, engine.has(look.flag));
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
