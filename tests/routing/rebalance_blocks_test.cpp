// SPDX-License-Identifier: BSD-3-Clause
// Tables evened out in blocks that are sent anyway: counted again from scratch, and proved; a long
// row of cuts and mends.

#include "routing/improve/rebalance_blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "analysis/faults/fault_cost.hpp"
#include "analysis/load/channel_use.hpp"
#include "core/random.hpp"
#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "routing/repair/fault_repair.hpp"
#include "topology/change/faults.hpp"
#include "verify/transition.hpp"
#include "verify/verify.hpp"

namespace fatwood {
namespace {

ModelHints same_leaves(const Model& whole) {
  ModelHints hints;
  for (const Terminal t : ids<Terminal>(whole.fabric().num_terminals())) hints.compute.push_back(t);
  return hints;
}

Fraction mload(const Model& model, const ForwardingTables& tables) {
  Routing routing;
  routing.tables = tables;
  return spread_of_flows(model, find_channel_use(model, routing, 1)).largest;
}

std::vector<TableEntry> entries_of(std::span<const EntryChange> changes) {
  std::vector<TableEntry> entries;
  for (const EntryChange& change : changes) entries.push_back({change.destination, change.at});
  return entries;
}

void expect_good(const Model& whole, const TablesInUse& in_use, const std::vector<Channel>& dead) {
  const Model now(with_faults(whole.fabric(), {.cut = dead, .removed = {}}), same_leaves(whole));
  Routing routing;
  routing.tables = in_use.tables();
  const Verdict verdict = verify(now, routing, {.threads = 1});
  EXPECT_EQ(verdict.reachability.loops, 0U);
  EXPECT_TRUE(verdict.deadlock.free());
  EXPECT_EQ(find_legal_but_lost(now.fabric(), routing, whole.levels()).total(), 0U);
}

TEST(EvenRepair, TellsTheLoadsThatARecountFindsAndKeepsToItsBlocks) {
  const Model whole(make_fabric("pgft(3;4,4,4;1,4,2;1,1,2)"));
  const Lids lids = assign_lids(whole.fabric(), 0);
  const ForwardingTables old = route(find_engine("ftree"), whole).tables;
  std::size_t relieved = 0;
  for (const std::uint64_t spare : {0U, 5U}) {
    for (const Fault& fault : random_cables(whole, 6, 8, 11)) {
      TablesInUse in_use(whole, old, 1);
      FaultRepair repair(in_use);
      in_use.mark_dead(fault.cut);
      const auto changes = repair.cut(fault.cut);
      const std::vector<TableEntry> sent = entries_of(changes);
      in_use.apply(changes);
      const Fraction before = mload(whole, in_use.tables());
      const RebalanceResult even =
          rebalance_blocks(in_use, lids, sent, {.spare_blocks = spare, .threads = 1});
      EXPECT_EQ(even.before, before);
      EXPECT_EQ(even.after, mload(whole, in_use.tables()));
      EXPECT_LE(even.after, even.before);
      EXPECT_LE(even.spare_blocks, spare);
      relieved += even.after < even.before ? 1U : 0U;
      std::set<std::pair<std::uint32_t, std::uint32_t>> blocks;
      const auto add = [&](const TableEntry& entry) {
        blocks.emplace(index(entry.at), lid_block(lids.of(old, entry.destination)));
      };
      for (const TableEntry& entry : sent) add(entry);
      const std::size_t forced = blocks.size();
      for (const TableEntry& entry : entries_of(even.moves)) add(entry);
      EXPECT_LE(blocks.size(), forced + even.spare_blocks);
      expect_good(whole, in_use, fault.cut);
      EXPECT_EQ(find_transition(whole, old, in_use.tables(), 1).safety, Safety::kAnyOrder);
    }
  }
  EXPECT_GT(relieved, 3U);
}

// A year of a fabric: what repairs alone, and with a few blocks more, come to in the end.
TEST(EvenRepair, ManyCutsAndMendsStayNearTheLoadOfFreshTables) {
  const Model whole(make_fabric("pgft(3;4,4,4;1,4,2;1,1,2)"));
  const Lids lids = assign_lids(whole.fabric(), 0);
  const std::vector<Fault> cables = single_cables(whole);
  for (const std::uint64_t spare : {0U, 20U}) {
    TablesInUse in_use(whole, route(find_engine("ftree"), whole).tables, 1);
    FaultRepair repair(in_use);
    std::vector<Channel> dead;
    Random random(3);
    for (int step = 0; step < 100; ++step) {
      std::vector<TableEntry> sent;
      if (dead.size() > 6 || (!dead.empty() && random.below(2) == 0)) {
        const auto at = random.below(static_cast<std::uint32_t>(dead.size()));
        const std::vector<Channel> mended = {dead[at]};
        dead.erase(dead.begin() + at);
        in_use.mark_working(mended);
        const auto changes = repair.fill_holes();
        sent = entries_of(changes);
        in_use.apply(changes);
      } else {
        const Channel c =
            cables[random.below(static_cast<std::uint32_t>(cables.size()))].cut.front();
        if (std::ranges::find(dead, c) != dead.end()) continue;
        dead.push_back(c);
        const std::vector<Channel> cut = {c};
        in_use.mark_dead(cut);
        const auto changes = repair.cut(cut);
        sent = entries_of(changes);
        in_use.apply(changes);
      }
      (void)rebalance_blocks(in_use, lids, sent, {.spare_blocks = spare, .threads = 1});
      if (step % 20 == 0) expect_good(whole, in_use, dead);
    }
    expect_good(whole, in_use, dead);
    const Model now(with_faults(whole.fabric(), {.cut = dead, .removed = {}}), same_leaves(whole));
    const Fraction fresh = mload(now, route(find_engine("ftree"), now).tables);
    const double ratio = mload(now, in_use.tables()).value() / fresh.value();
    EXPECT_LE(ratio, spare == 0 ? 2.5 : 1.25) << spare << " spare blocks a step";
  }
}

}  // namespace
}  // namespace fatwood
