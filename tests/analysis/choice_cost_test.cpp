// SPDX-License-Identifier: BSD-3-Clause
// What a fault costs adaptive tables, by differences, held against the fabric without it, with the
// choices that are left, and counted from scratch.

#include "analysis/faults/choice_cost.hpp"

#include <gtest/gtest.h>

#include "analysis/load/all_to_all.hpp"
#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "routing/repair/carried_tables.hpp"
#include "routing/repair/changes.hpp"
#include "routing/repair/kept_choices.hpp"
#include "topology/change/faults.hpp"
#include "verify/deadlock/deadlock.hpp"
#include "verify/reach/reachability.hpp"

namespace fatwood {
namespace {

constexpr double kRounding = 1e-5;

// The fabric after a fault, with the tables that switches hold, repaired.
struct Recount {
  Recount(const Model& whole, const Routing& routing, const Lids& lids, const Fault& fault)
      : model(with_faults(whole.fabric(), faults_of(whole, fault)), ModelHints{}) {
    CarriedTables carried =
        carry_tables(whole.fabric(), routing.tables, lids, model.fabric(), routing.sets);
    old.engine = routing.engine;
    old.tables = std::move(carried.tables);
    old.sets = std::move(carried.sets);
    after = std::move(carried.lids);
    kept = keep_choices(model, old, 1);
  }
  static ResolvedFaults faults_of(const Model& whole, const Fault& fault) {
    ResolvedFaults faults;
    faults.cut = fault.cut;
    if (fault.removed != kNone<Switch>)
      faults.removed.push_back(whole.fabric().node(fault.removed));
    return faults;
  }
  Model model;
  Routing old;
  Lids after;
  KeptChoices kept;
};

void expect_cost(const Model& whole, const Routing& routing, const Lids& lids, const Fault& fault,
                 const FaultCost& cost) {
  const Recount recount(whole, routing, lids, fault);
  EXPECT_EQ(cost.entries, recount.kept.changed.size());
  EXPECT_EQ(cost.blocks, blocks_of(recount.kept.changed, recount.old.tables, recount.after));
  const AllToAllLoad load = all_to_all_load(recount.model, recount.kept.routing, 1);
  EXPECT_NEAR(cost.mload.value(), load.mload.value(), kRounding * (1 + load.mload.value()));
  EXPECT_NEAR(cost.gigabits, load.gigabits, kRounding * (1 + load.gigabits));
  const auto pairs = [](const Model& model, const Routing& tables) {
    const std::uint64_t hosts = model.fabric().num_terminals();
    return hosts * (hosts - 1) -
           find_reachability(model.fabric(), tables, 1).unreachable.terminal_terminal;
  };
  EXPECT_EQ(cost.pairs_lost, pairs(whole, routing) - pairs(recount.model, recount.kept.routing));
  EXPECT_EQ(cost.transition, Safety::kAnyOrder);
  EXPECT_TRUE(find_deadlock(recount.model.fabric(), recount.kept.routing, Sources::kAll, 1).free());
}

void expect_costs(const Model& whole, const char* engine, const std::vector<Fault>& faults,
                  unsigned lmc = 0) {
  const Routing routing = route(find_engine(engine), whole, {.lmc = lmc});
  ASSERT_FALSE(routing.sets.empty());
  const Lids lids = assign_lids(whole.fabric(), lmc);
  const ChoiceCosts costs(whole, routing, lids, true);
  const std::vector<FaultCost> found = costs.of(faults);
  for (std::size_t i = 0; i < faults.size(); ++i) {
    SCOPED_TRACE(i);
    expect_cost(whole, routing, lids, faults[i], found[i]);
  }
  const AllToAllLoad load = all_to_all_load(whole, routing, 1);
  EXPECT_NEAR(costs.now().mload.value(), load.mload.value(), kRounding * load.mload.value());
}

TEST(ChoiceCost, EverySingleCableAndSwitchCostsWhatARecountSays) {
  for (const char* spec : {"xgft(2;3,4;1,4)", "ft(4,3)", "pgft(3;2,3,3;1,3,2;1,1,2)",
                           "xgft(2;3,4;2,2)", "xgft(3;2,2,4;1,3,2)"}) {
    const Model whole(make_fabric(spec));
    for (const char* engine : {"ar_ftree", "ar_updn", "ar_even"}) {
      SCOPED_TRACE(std::string(spec) + " " + engine);
      expect_costs(whole, engine, single_cables(whole));
      // The other port of a host does not take over what it sent to the lost switch.
      if (whole.adapters().size() < whole.fabric().num_terminals()) continue;
      expect_costs(whole, engine, single_switches(whole));
    }
  }
}

TEST(ChoiceCost, SetsOfCablesAndSeveralAddressesCostWhatARecountSays) {
  const Model whole(make_fabric("pgft(3;4,4,4;1,4,2;1,1,2)"));
  for (const std::size_t size : {2U, 7U, 20U}) {
    expect_costs(whole, "ar_updn", random_cables(whole, size, 12, 3));
  }
  expect_costs(whole, "ar_updn", random_cables(whole, 5, 12, 4), 1);
}

// A fabric that has faults already: levels and groups differ from switch to switch.
TEST(ChoiceCost, DamagedTreesCostWhatARecountSays) {
  const Model tree(make_fabric("ft(6,3)"));
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    ResolvedFaults faults;
    faults.cut = random_cables(tree, 12, 1, seed).front().cut;
    const Model whole(with_faults(tree.fabric(), faults), ModelHints{});
    expect_costs(whole, "ar_even", single_cables(whole));
  }
}

}  // namespace
}  // namespace fatwood
