// SPDX-License-Identifier: BSD-3-Clause
// "Any order" and "rounds" on fabrics of every kind, tried in mixtures of old and new entries: from
// the tables of one engine to those of another, and to repaired ones after random cuts. Checked by
// tests/oracle alone.
//
// FATWOOD_FABRICS=N draws N fabrics instead of some, FATWOOD_FIRST_SEED=S others.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/random.hpp"
#include "oracle/mixtures.hpp"
#include "oracle/walker.hpp"
#include "routing/engine.hpp"
#include "support/wiring.hpp"
#include "tasks/repair.hpp"
#include "tasks/transition.hpp"
#include "topology/change/faults.hpp"

namespace fatwood {
namespace {

constexpr std::size_t kMostSwitches = 24;  // of fabrics whose mixtures are walked
constexpr int kMixtures = 12;

std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct Verdicts {
  std::size_t any_order = 0, rounds = 0, none = 0;
};

// Switches are written in blocks of entries, so some entries of a switch may be new and others old.
std::string entry_fault(const Fabric& fabric, const Routing& old, const Routing& now,
                        Random& random) {
  for (int i = 0; i < kMixtures; ++i) {
    Routing mixed = old;
    for (const Target target : ids<Target>(old.tables.num_targets())) {
      for (const Switch s : ids<Switch>(old.tables.num_switches())) {
        if (random.below(2) != 0) mixed.tables.row(target)[index(s)] = now.tables.at(target, s);
      }
    }
    // Nothing is left to change: the one mixture is what it is.
    const std::string fault = oracle::mixture_fault(fabric, mixed, mixed, 0);
    if (!fault.empty()) return fault;
  }
  return "";
}

void expect_safe(const Model& model, const Routing& old, const Routing& now,
                 const Transition& found, Random& random, Verdicts& verdicts) {
  const Fabric& fabric = model.fabric();
  switch (found.safety) {
    case Safety::kAnyOrder:
      ++verdicts.any_order;
      EXPECT_EQ(oracle::mixture_fault(fabric, old, now, 7, random.below(1U << 30)), "");
      if (old.lanes.count == 1 && now.lanes.count == 1) {
        EXPECT_EQ(entry_fault(fabric, old, now, random), "");
      }
      break;
    case Safety::kRounds:
      ++verdicts.rounds;
      EXPECT_EQ(oracle::rounds_fault(fabric, old, now, found.rounds, model.levels().level), "");
      break;
    case Safety::kNone:
      ++verdicts.none;
      // On one VL, only where old or new tables are at fault already.
      EXPECT_TRUE(std::max(old.lanes.count, now.lanes.count) > 1 ||
                  !oracle::mixture_fault(fabric, old, old, 0).empty() ||
                  !oracle::mixture_fault(fabric, now, now, 0).empty());
  }
}

std::optional<Routing> tables_by(const Engine& engine, const Model& model) {
  if (engine.pairs == Pairs::kPerPair || engine.has(Engine::kAdaptive)) return std::nullopt;
  try {
    return route(engine, model, {.max_lanes = 8, .threads = 1});
  } catch (const PromiseError&) {
    return std::nullopt;
  }
}

std::vector<Channel> some_cables(const Fabric& fabric, Random& random) {
  std::vector<Channel> cables;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (fabric.connected(c) && index(c) < index(fabric.peer(c)) &&
        fabric.is_switch(fabric.owner(c)) && fabric.is_switch(fabric.neighbour(c)))
      cables.push_back(c);
  }
  std::vector<Channel> cut;
  for (std::uint32_t left = 1 + random.below(3); left > 0 && !cables.empty(); --left) {
    const auto at = random.below(static_cast<std::uint32_t>(cables.size()));
    cut.push_back(cables[at]);
    cables[at] = cables.back();
    cables.pop_back();
  }
  return cut;
}

void expect_repair(const Model& whole, const Routing& old, Random& random, Verdicts& verdicts) {
  ModelHints hints;  // hosts decide where leaves are: the same ones count after a fault
  for (const Terminal t : ids<Terminal>(whole.fabric().num_terminals())) hints.compute.push_back(t);
  const Model model(
      with_faults(whole.fabric(), {.cut = some_cables(whole.fabric(), random), .removed = {}}),
      hints);
  if (!model.levels().is_tree()) return;
  const RepairedTables repaired = repair_tables(model, old, assign_lids(whole.fabric(), 0),
                                                {.rebalance = random.below(2) != 0, .threads = 1});
  expect_safe(model, old, repaired.routing, repaired.transition, random, verdicts);
}

TEST(Mixing, IsAsSafeAsPromisedOnFabricsOfEveryKind) {
  const std::uint64_t first = number_of("FATWOOD_FIRST_SEED", 1);
  const std::uint64_t count = number_of("FATWOOD_FABRICS", 120);
  Verdicts changed, repaired;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    test::DrawnFabric drawn = test::draw_fabric(seed);
    SCOPED_TRACE(drawn.name);
    if (drawn.fabric.num_switches() > kMostSwitches) continue;
    const Model model(std::move(drawn.fabric));
    Random random(seed, 1);
    std::optional<Routing> before;
    std::string name;
    for (const Engine& engine : engines()) {
      std::optional<Routing> now = tables_by(engine, model);
      if (!now) continue;
      SCOPED_TRACE(name + " to " + std::string(engine.name));
      if (before) {
        expect_safe(model, *before, *now, transition(model, *before, *now, 1), random, changed);
      }
      if (model.levels().is_tree()) expect_repair(model, *now, random, repaired);
      if (testing::Test::HasFailure()) return;
      before = std::move(now);
      name = engine.name;
    }
  }
  EXPECT_GT(changed.any_order, count / 4);
  EXPECT_GT(changed.rounds, count / 4);
  EXPECT_GT(repaired.any_order, count / 4);
  EXPECT_GT(repaired.rounds, count / 4);
}

}  // namespace
}  // namespace fatwood
