// SPDX-License-Identifier: BSD-3-Clause
// What a fault costs, by differences, held against the fabric without it, repaired and counted
// from scratch.

#include "analysis/faults/fault_cost.hpp"

#include <gtest/gtest.h>

#include "analysis/load/all_to_all.hpp"
#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "routing/repair/changes.hpp"
#include "routing/repair/forced.hpp"
#include "topology/change/faults.hpp"
#include "verify/reach/reachability.hpp"

namespace fatwood {
namespace {

ModelHints same_leaves(const Model& whole) {
  ModelHints hints;
  for (const Terminal t : ids<Terminal>(whole.fabric().num_terminals())) hints.compute.push_back(t);
  return hints;
}

constexpr std::size_t kPermutations = 3;
constexpr std::uint64_t kSeed = 5;

// False when the levels of what is left are others: then repairs may differ, too.
bool expect_cost(const Model& whole, const Routing& old, const FaultCost& cost,
                 const Fault& fault) {
  const Model model(with_faults(whole.fabric(), {.cut = fault.cut, .removed = {}}),
                    same_leaves(whole));
  if (model.levels().level != whole.levels().level) return false;
  const Lids lids = assign_lids(whole.fabric(), old.tables.lmc());
  Routing now;
  now.tables = keep_what_can_stay(model, old.tables, 1).tables;
  const TableChanges changes = table_changes(model, old.tables, now.tables, lids, 1);
  EXPECT_EQ(cost.entries, changes.entries);
  EXPECT_EQ(cost.blocks, changes.blocks);
  const AllToAllLoad load = all_to_all_load(model, now, 1);
  EXPECT_EQ(cost.mload, load.mload);
  EXPECT_EQ(cost.most_loaded, load.most_loaded);
  EXPECT_EQ(cost.gigabits, load.gigabits);
  const PortPairs pairs(whole);
  EXPECT_EQ(cost.pairs_lost, pairs.connected() - pairs.intact(model, now, 1));
  if (cost.permutation_gigabits > 0) {
    const StandingFlows flows(model, now.tables, 1);
    const StandingPermutations recount(model, now.tables, flows, kPermutations, kSeed);
    EXPECT_DOUBLE_EQ(cost.permutation_gigabits, recount.gigabits());
  }
  return true;
}

TEST(FaultCost, EverySingleCableCostsWhatARecountSays) {
  for (const char* spec : {"xgft(2;3,4;1,4)", "pgft(2;4,4;1,2;1,2)", "ft(4,3)",
                           "pgft(3;2,3,3;1,3,2;1,1,2)", "xgft(2;3,4;2,2)"}) {
    const Model whole(make_fabric(spec));
    for (const char* engine : {"ftree", "sftree"}) {
      for (const unsigned lmc : {0U, 1U}) {
        const Routing old = route(find_engine(engine), whole, {.lmc = lmc});
        const Lids lids = assign_lids(whole.fabric(), lmc);
        const TablesInUse in_use(whole, old.tables);
        const FaultCosts costs(in_use, lids, 0, kPermutations, kSeed);
        const std::vector<Fault> faults = single_cables(whole);
        const std::vector<FaultCost> found = costs.of(faults);
        EXPECT_GT(found.front().permutation_gigabits, 0);
        std::size_t compared = 0;
        for (std::size_t i = 0; i < faults.size(); ++i) {
          if (expect_cost(whole, old, found[i], faults[i])) ++compared;
        }
        EXPECT_GT(compared, faults.size() / 2) << spec;
      }
    }
  }
}

TEST(FaultCost, RandomSetsCostWhatARecountSays) {
  const Model whole(make_fabric("pgft(3;4,4,4;1,4,2;1,1,2)"));
  const Routing old = route(find_engine("sftree"), whole);
  const Lids lids = assign_lids(whole.fabric(), 0);
  const TablesInUse in_use(whole, old.tables);
  const FaultCosts costs(in_use, lids, 0, kPermutations, kSeed);
  for (const std::size_t size : {2U, 7U, 20U}) {
    const std::vector<Fault> faults = random_cables(whole, size, 12, 3);
    const std::vector<FaultCost> found = costs.of(faults);
    std::size_t compared = 0;
    for (std::size_t i = 0; i < faults.size(); ++i) {
      EXPECT_EQ(faults[i].cut.size(), size);
      if (expect_cost(whole, old, found[i], faults[i])) ++compared;
    }
    EXPECT_GT(compared, 6U) << size;
  }
}

// A removed switch, as a whole fabric whose cables at it are cut and whose hosts there are silent.
TEST(FaultCost, ASwitchCostsItsHostsAndWhatGoesThroughIt) {
  const Model whole(make_fabric("xgft(3;2,2,4;1,3,2)"));
  const Routing old = route(find_engine("ftree"), whole);
  const Lids lids = assign_lids(whole.fabric(), 0);
  const TablesInUse in_use(whole, old.tables);
  const std::vector<Fault> faults = single_switches(whole);
  const FaultCosts costs(in_use, lids, 0, kPermutations, kSeed);
  const std::vector<FaultCost> found = costs.of(faults);
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const Switch gone = faults[i].removed;
    const Fabric& fabric = whole.fabric();
    ResolvedFaults cut;
    ModelHints hints = same_leaves(whole);
    for (const Channel c : fabric.channels(fabric.node(gone))) {
      if (fabric.connected(c) && fabric.is_switch(fabric.neighbour(c))) cut.cut.push_back(c);
    }
    const Model model(with_faults(fabric, cut), hints);
    Routing now;
    now.tables = keep_what_can_stay(model, old.tables, 1).tables;
    const std::uint64_t lost =
        find_reachability(model.fabric(), now, 1).unreachable.terminal_terminal;
    std::uint64_t inside = 0;  // pairs on the switch itself still reach each other there
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      inside += fabric.leaf(t) == gone ? 1U : 0U;
    }
    EXPECT_EQ(found[i].pairs_lost, lost + inside * (inside > 0 ? inside - 1 : 0));
    // The hosts of the switch still send to each other in the recount, over their own links alone.
    ChannelUse use = find_channel_use(model, now, 1);
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      if (fabric.leaf(t) != gone) continue;
      use.flows[fabric.terminal_channel(t)] = use.flows[fabric.peer(fabric.terminal_channel(t))] =
          0;
    }
    const AllToAllLoad load = all_to_all_load(model, use);
    EXPECT_EQ(found[i].mload, load.mload) << index(gone);
    EXPECT_EQ(found[i].most_loaded, load.most_loaded) << index(gone);
    EXPECT_NEAR(found[i].gigabits, load.gigabits, 1e-9);
    // Flows to and from its hosts are gone in both; the rest of each permutation is recounted.
    double sum = 0;
    for (std::size_t sample = 0; sample < kPermutations; ++sample) {
      std::vector<double> time(fabric.num_channels());
      double longest = costs.permutations().host_time();
      for (const Terminal to : ids<Terminal>(fabric.num_terminals())) {
        const Terminal from = costs.permutations().source(sample, to);
        if (from == kNone<Terminal>) continue;
        if (fabric.leaf(from) == gone || fabric.leaf(to) == gone) continue;
        for (Switch s = fabric.leaf(from); s != fabric.leaf(to);) {
          const Hop hop = model.hop_map().at(s, now.tables.at(now.tables.destination(to), s));
          if (!hop.to_switch()) break;
          const Channel c =
              fabric.channel(fabric.node(s), now.tables.at(now.tables.destination(to), s));
          time[index(c)] += costs.flows().unit_time(c);
          longest = std::max(longest, time[index(c)]);
          s = static_cast<Switch>(hop.next());
        }
      }
      sum += 1 / longest;
    }
    EXPECT_NEAR(found[i].permutation_gigabits, sum / kPermutations, 1e-9) << index(gone);
  }
}

TEST(FaultCost, NothingLostCostsNothingAndThreadsDoNotMatter) {
  const Model whole(make_fabric("ft(8,3)"));
  const Routing old = route(find_engine("sftree"), whole);
  const Lids lids = assign_lids(whole.fabric(), 0);
  const TablesInUse in_use(whole, old.tables);
  const FaultCosts one(in_use, lids, 1);
  const FaultCost now = one.now();
  EXPECT_EQ(now.entries, 0U);
  EXPECT_EQ(now.pairs_lost, 0U);
  EXPECT_EQ(now.mload, all_to_all_load(whole, old).mload);
  EXPECT_EQ(now.mload, 127);  // 128 hosts: their own links are the most loaded
  // 4xQDR is 32 Gb/s: a complete tree of full bisection gives a host nearly all of it.
  EXPECT_GT(now.gigabits, 0);
  EXPECT_LE(now.gigabits, 32 * 1.0001);
  const std::vector<Fault> faults = single_cables(whole);
  EXPECT_EQ(one.of(faults), FaultCosts(in_use, lids, 3).of(faults));
}

}  // namespace
}  // namespace fatwood
