// SPDX-License-Identifier: BSD-3-Clause
// What is known of the tables before a loss makes no difference to the result.

#include "tasks/change/lose.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"
#include "io/fabric/spec.hpp"
#include "routing/repair/forced.hpp"
#include "tasks/change/repair_tables.hpp"
#include "verify/deadlock/deadlock.hpp"

namespace fatwood {
namespace {

void expect_same(const LossResult& a, const LossResult& b) {
  EXPECT_EQ(a.new_routing.tables, b.new_routing.tables);
  EXPECT_EQ(a.entries_changed, b.entries_changed);
  EXPECT_EQ(a.blocks_changed, b.blocks_changed);
  EXPECT_EQ(a.transition, b.transition);
  EXPECT_EQ(a.repaired.pairs_lost, b.repaired.pairs_lost);
  EXPECT_EQ(a.repaired.worst_gbps, b.repaired.worst_gbps);
}

// Every cable of a tree with fallback routes, and some pairs of them.
TEST(Lose, WhatIsKnownChangesNothing) {
  for (const char* engine : {"sftree", "updn+"}) {
    const Model model(make_fabric("pgft(2;3,4;2,3;1,1)"));
    const Routing routing = route(find_engine(engine), model);
    const Lids lids = assign_lids(model.fabric(), 0);
    const std::vector<std::uint8_t> settled = settled_rows(model, routing.tables);
    EXPECT_NE(std::ranges::count(settled, 1), 0);
    const PlacedTables tables{model, routing.tables};
    KnownTables known(tables);
    (void)known.looks(tables);
    const TableFlows flows(tables);
    const KnownBefore all_known{.settled = settled, .tables = &known, .flows = &flows};
    Channel last = kNone<Channel>;
    for (const Channel c : ids<Channel>(model.fabric().num_channels())) {
      const Fabric& fabric = model.fabric();
      if (!fabric.connected(c) || index(fabric.peer(c)) < index(c)) continue;
      ResolvedFaults faults;
      faults.cut = {c};
      if (last != kNone<Channel> && index(c) % 3 == 0) faults.cut.push_back(last);
      last = c;
      const LossResult expected = lose(model, routing, lids, faults);
      expect_same(expected, lose(model, routing, lids, faults, {}, {.settled = settled}));
      expect_same(expected, lose(model, routing, lids, faults, {}, all_known));
    }
    ResolvedFaults removed;
    removed.removed = {model.fabric().node(Switch{0})};
    expect_same(lose(model, routing, lids, removed),
                lose(model, routing, lids, removed, {}, all_known));
  }
}

// Without an engine the same repair and no third stage; with one, the fresh tables are kept.
TEST(Lose, RoutesAgainIfAsked) {
  const Model model(make_fabric("pgft(2;3,4;2,3;1,1)"));
  const Routing routing = route(find_engine("sftree"), model);
  const Lids lids = assign_lids(model.fabric(), 0);
  std::size_t looked_at = 0;
  for (const Channel c : ids<Channel>(model.fabric().num_channels())) {
    if (!model.fabric().between_switches(c)) continue;
    ResolvedFaults faults;
    faults.cut = {c};
    const LossResult all = lose(model, routing, lids, faults, {.engine = &find_engine("updn+")});
    const LossResult first = lose(model, routing, lids, faults);
    EXPECT_EQ(first.stage, LossStage::kRepaired);
    EXPECT_EQ(all.stage, LossStage::kAll);
    EXPECT_FALSE(first.rerouted || first.rerouted_tables);
    ASSERT_TRUE(all.rerouted && all.rerouted_tables);
    EXPECT_EQ(all.rerouted_tables->tables, route(find_engine("updn+"), *all.after).tables);
    expect_same(first, all);
    ++looked_at;
  }
  EXPECT_GT(looked_at, 10U);
}

// Without its VLs the old table of lash would deadlock, and so would every mixture with it.
TEST(Lose, VlsStayWithTheirRoutes) {
  const Model model(make_fabric("ft(4,3)"));
  const Routing routing = route(find_engine("lash"), model);
  ASSERT_GT(routing.lanes.count, 1U);
  Routing one_lane = routing;
  one_lane.lanes = {};
  ASSERT_FALSE(find_deadlock(model.fabric(), one_lane).free());
  const Lids lids = assign_lids(model.fabric(), 0);
  const PlacedTables tables{model, routing.tables};
  KnownTables known(tables);
  (void)known.looks(tables);
  for (const Channel c : ids<Channel>(model.fabric().num_channels())) {
    if (!model.fabric().between_switches(c) || index(model.fabric().peer(c)) < index(c)) continue;
    ResolvedFaults faults;
    faults.cut = {c};
    const LossResult result = lose(model, routing, lids, faults);
    expect_same(result, lose(model, routing, lids, faults, {}, {.tables = &known}));
    EXPECT_TRUE(result.deadlock_free);
    EXPECT_GT(result.new_routing.lanes.count, 1U);
    EXPECT_EQ(result.repaired.pairs_lost, 0U);
    EXPECT_EQ(result.transition,
              find_transition(*result.after, routing.tables, result.new_routing.tables, 1,
                              {&routing.lanes, &result.new_routing.lanes})
                  .safety);
    const auto same_vls = [&](Destination d, Switch s) {
      return routing.lanes.at(d, s) == result.new_routing.lanes.at(d, s);
    };
    std::size_t kept = 0;
    for (const Destination d : ids<Destination>(routing.tables.num_destinations())) {
      for (const Switch s : ids<Switch>(routing.tables.num_switches())) kept += same_vls(d, s);
    }
    const std::size_t all = routing.tables.num_destinations() * routing.tables.num_switches();
    EXPECT_GT(kept, all * 3 / 4);
  }
}

TEST(Lose, WithoutATreeIsRoutedAgain) {
  const Model model(make_fabric("ring(5)"));
  const Engine& nue = find_engine("nue");
  const Routing routing = route(nue, model);
  ResolvedFaults faults;
  for (const Channel c : ids<Channel>(model.fabric().num_channels())) {
    if (model.fabric().between_switches(c)) faults.cut = {c};
  }
  const Lids lids = assign_lids(model.fabric(), 0);
  const LossResult result = lose(model, routing, lids, faults, {.engine = &nue});
  EXPECT_NE(result.not_repaired, "");
  EXPECT_EQ(result.new_routing.engine, "nue");
  EXPECT_EQ(result.rerouted->pairs_lost, 0U);
  EXPECT_GT(result.unrepaired.pairs_lost, 0U);
  EXPECT_GT(result.entries_changed, 0U);
  EXPECT_TRUE(result.deadlock_free);
  EXPECT_THROW(lose(model, routing, lids, faults), PromiseError);
}

}  // namespace
}  // namespace fatwood
