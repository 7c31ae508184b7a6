// SPDX-License-Identifier: BSD-3-Clause
// Repairs of the tables of every engine after random faults. What is said about mixing old and new
// entries is tried in all mixtures.

#include <gtest/gtest.h>

#include "analysis/faults/fault_cost.hpp"
#include "core/error.hpp"
#include "io/fabric/spec.hpp"
#include "oracle/mixtures.hpp"
#include "routing/engine.hpp"
#include "tasks/change/repair_tables.hpp"
#include "topology/change/faults.hpp"
#include "verify/verify.hpp"

namespace fatwood {
namespace {

// Hosts decide where leaves are: the same ones count after a fault.
ModelHints same_terminals(const Fabric& fabric) {
  ModelHints hints;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) hints.compute.push_back(t);
  return hints;
}

struct Found {
  std::size_t any_order = 0, rounds = 0, none = 0;
};

void expect_true(const Model& model, const Routing& old, const RepairedTables& repaired,
                 const std::string& what, Found& found) {
  const Fabric& fabric = model.fabric();
  const Routing& now = repaired.routing;
  const Transition& transition = repaired.transition;
  switch (transition.safety) {
    case Safety::kAnyOrder:
      EXPECT_EQ(oracle::mixture_fault(fabric, old, now, 8), "") << what;
      ++found.any_order;
      break;
    case Safety::kRounds:
      EXPECT_EQ(oracle::rounds_fault(fabric, old, now, transition.rounds, model.levels().level), "")
          << what;
      ++found.rounds;
      break;
    case Safety::kNone:
      ++found.none;
  }
}

std::vector<Engine> engines_with_tables(const Model& model) {
  std::vector<Engine> found;
  for (const Engine& engine : engines()) {
    try {
      const Routing routing = route(engine, model);
      if (routing.sets.empty() && routing.tables.num_destinations() > 0) found.push_back(engine);
    } catch (const PromiseError&) {
    }
  }
  return found;
}

TEST(Repair, WhatIsSafeToMixIsSafeInEveryMixture) {
  Found found;
  for (const char* spec : {"xgft(2;2,3;1,2)", "ft(4,2)", "pgft(2;2,3;1,2;1,2)", "ft(4,3)"}) {
    const Model whole(make_fabric(spec));
    const std::vector<Fault> faults = single_cables(whole);
    for (const Engine& engine : engines_with_tables(whole)) {
      const Routing old = route(engine, whole);
      const Lids lids = assign_lids(whole.fabric(), 0);
      for (std::size_t i = 0; i < faults.size(); i += faults.size() > 16 ? 7U : 1U) {
        std::vector<Channel> cut = faults[i].cut;
        if (i % 2 == 1) cut.push_back(faults[(i * 7 + 3) % faults.size()].cut.front());
        const Model model(with_faults(whole.fabric(), {.cut = cut, .removed = {}}),
                          same_terminals(whole.fabric()));
        if (!model.levels().is_tree()) continue;
        for (const bool rebalance : {false, true}) {
          const RepairedTables repaired =
              repair_tables(model, old, lids, {.rebalance = rebalance, .threads = 1});
          const std::string what = std::string(spec) + ' ' + std::string(engine.name) + " cut " +
                                   std::to_string(i) + (rebalance ? " balanced" : "");
          EXPECT_TRUE(repaired.deadlock_free) << what;
          EXPECT_EQ(repaired.reach.lost().terminal_terminal, 0U) << what;
          expect_true(model, old, repaired, what, found);
        }
      }
    }
  }
  EXPECT_GT(found.any_order, 20U);
  EXPECT_GT(found.rounds, 20U);
}

// Defect 3: whatif said "any order" where the repaired tables can loop.
TEST(Repair, WhatifPromisesNoMoreThanTheRepairHolds) {
  std::size_t same = 0, all = 0, any = 0;
  for (const char* spec : {"ft(4,3)", "xgft(2;3,4;1,4)", "pgft(3;2,3,3;1,3,2;1,1,2)"}) {
    const Model whole(make_fabric(spec));
    for (const char* engine : {"sftree", "even", "ftree", "updn+", "minhop"}) {
      const Routing old = route(find_engine(engine), whole);
      const Lids lids = assign_lids(whole.fabric(), 0);
      const TablesInUse in_use(whole, old.tables);
      const std::vector<Fault> faults = single_cables(whole);
      const std::vector<FaultCost> costs = FaultCosts(in_use, lids).of(faults);
      for (std::size_t i = 0; i < faults.size(); ++i) {
        const Model model(with_faults(whole.fabric(), {.cut = faults[i].cut, .removed = {}}),
                          same_terminals(whole.fabric()));
        const RepairedTables repaired =
            repair_tables(model, old, lids, {.rebalance = false, .threads = 1});
        EXPECT_GE(costs[i].transition, repaired.transition.safety) << spec << ' ' << engine << i;
        same += costs[i].transition == repaired.transition.safety ? 1U : 0U;
        any += costs[i].transition == Safety::kAnyOrder ? 1U : 0U;
        ++all;
      }
    }
  }
  EXPECT_GE(same * 4, all * 3);
  EXPECT_GT(any, all / 8);
}

// The incremental proof is the proof of transition.
TEST(Repair, MixedTablesAgreeWithTransition) {
  std::size_t refused = 0;
  for (const char* spec : {"ft(4,3)", "pgft(2;4,4;1,2;1,2)", "pgft(3;2,3,3;1,3,2;1,1,2)"}) {
    const Model whole(make_fabric(spec));
    for (const char* engine : {"sftree", "updn+", "minhop"}) {
      const Routing old = route(find_engine(engine), whole);
      MixedTables mixed(whole, old.tables);
      if (!mixed.old_is_free()) continue;
      for (const Fault& fault : single_cables(whole)) {
        const Model model(with_faults(whole.fabric(), {.cut = fault.cut, .removed = {}}),
                          same_terminals(whole.fabric()));
        const RepairedTables repaired =
            repair_tables(model, old, assign_lids(whole.fabric(), 0), {.threads = 1});
        std::vector<EntryChange> changes;
        for (const Destination destination : ids<Destination>(old.tables.num_destinations())) {
          for (const Switch s : ids<Switch>(old.tables.num_switches())) {
            const Port port = repaired.routing.tables.at(destination, s);
            if (port != old.tables.at(destination, s)) changes.push_back({destination, s, port});
          }
        }
        const bool any = repaired.transition.safety == Safety::kAnyOrder;
        EXPECT_EQ(mixed.any_order(changes, fault.cut), any) << spec << ' ' << engine;
        refused += any ? 0U : 1U;
      }
    }
  }
  EXPECT_GT(refused, 20U);
}

// Defect 13: leaves wrote their entries towards hosts in round 2, after the fallback routes.
TEST(Repair, HostsDoNotWaitForFallbackRoutes) {
  for (const char* spec : {"ft(4,3)", "pgft(3;3,3,3;1,3,2;1,1,2)", "rlft(3,3)"}) {
    const Model whole(make_fabric(spec));
    const Routing old = route(find_engine("sftree"), whole);
    const std::vector<FaultRequest> orders{{FaultKind::kCut, "S2_0", {}}};
    const Model model(with_faults(whole.fabric(), find_faults(whole.fabric(), orders)),
                      same_terminals(whole.fabric()));
    const RepairedTables repaired =
        repair_tables(model, old, assign_lids(whole.fabric(), 0), {.rebalance = false});
    const Transition& transition = repaired.transition;
    ASSERT_EQ(transition.safety, Safety::kRounds) << spec;
    EXPECT_EQ(oracle::rounds_fault(model.fabric(), old, repaired.routing, transition.rounds,
                                   model.levels().level),
              "")
        << spec;
    for (const TableEntry& entry : transition.rounds.front().clear) {
      EXPECT_FALSE(!old.tables.is_switch(entry.destination) && model.levels().level[entry.at] == 1)
          << spec;
    }
  }
}

// Defect 15: N is the most VLs of the new tables.
TEST(Repair, TakesNoMoreLanesThanAllowed) {
  const Model whole(make_fabric("ft(4,3)"));
  const Routing old = route(find_engine("dfsssp"), whole);
  ASSERT_GT(old.lanes.count, 1U);
  const Lids lids = assign_lids(whole.fabric(), 0);
  const Model model(
      with_faults(whole.fabric(), {.cut = single_cables(whole).front().cut, .removed = {}}),
      same_terminals(whole.fabric()));
  for (const unsigned lanes : {1U, old.lanes.count, 8U}) {
    const RepairResult result = repair(model, old, lids, {.max_lanes = lanes});
    EXPECT_LE(result.routing.lanes.count, lanes);
    EXPECT_EQ(result.fresh, lanes == 1);
    EXPECT_TRUE(result.holds());
  }
}

}  // namespace
}  // namespace fatwood
