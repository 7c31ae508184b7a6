// SPDX-License-Identifier: BSD-3-Clause
// Repairs found from the cut outwards, held against those of the whole tables on the fabric without
// the cables.

#include "routing/repair/fault_repair.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.hpp"
#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "routing/repair/forced.hpp"
#include "topology/change/faults.hpp"
#include "verify/verify.hpp"

namespace fatwood {
namespace {

std::vector<Channel> cables_between_switches(const Fabric& fabric) {
  std::vector<Channel> cables;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (fabric.connected(c) && c < fabric.peer(c) && fabric.is_switch(fabric.owner(c)) &&
        fabric.is_switch(fabric.neighbour(c))) {
      cables.push_back(c);
    }
  }
  return cables;
}

// Levels of a damaged tree can differ from those of the whole one (a switch without cables has
// none): the complete tree's roots and leaves are given.
ModelHints hints_of(const Model& whole) {
  ModelHints hints;
  for (const Terminal t : ids<Terminal>(whole.fabric().num_terminals())) hints.compute.push_back(t);
  return hints;
}

// False when the levels of what is left are others: then repairs may differ, too.
bool expect_same(const Model& whole, const ForwardingTables& old, const std::vector<Channel>& cut) {
  const Model model(with_faults(whole.fabric(), {.cut = cut, .removed = {}}), hints_of(whole));
  if (model.levels().level != whole.levels().level) return false;
  const Repaired expected = keep_what_can_stay(model, old, 1);
  TablesInUse in_use(whole, old, 1);
  FaultRepair repair(in_use);
  const auto changes = repair.cut(cut);
  EXPECT_EQ(changes.size(), expected.forced.size() + expected.dropped.size());
  in_use.apply(changes);
  EXPECT_EQ(in_use.tables(), expected.tables);
  // What is known of the rows is what a look at the new tables finds.
  const TablesInUse again(whole, expected.tables, 1);
  for (const Destination destination : ids<Destination>(old.num_destinations())) {
    for (std::uint32_t s = 0; s < whole.fabric().num_switches(); ++s) {
      EXPECT_EQ(in_use.is_fallback(destination, s), again.is_fallback(destination, s));
    }
  }
  return true;
}

class EachTree : public testing::TestWithParam<const char*> {};

TEST_P(EachTree, EverySingleCableComesToTheSameTables) {
  const Model whole(make_fabric(GetParam()));
  for (const char* engine : {"ftree", "sftree"}) {
    const ForwardingTables old = route(find_engine(engine), whole).tables;
    std::size_t compared = 0;
    for (const Channel c : cables_between_switches(whole.fabric())) {
      compared += expect_same(whole, old, {c}) ? 1U : 0U;
    }
    EXPECT_GT(compared, 0U);
  }
}

TEST_P(EachTree, SetsOfCablesComeToTheSameTables) {
  const Model whole(make_fabric(GetParam()));
  const std::vector<Channel> all = cables_between_switches(whole.fabric());
  for (const char* engine : {"ftree", "sftree", "minhop"}) {
    const ForwardingTables old = route(find_engine(engine), whole).tables;
    std::size_t compared = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      std::vector<Channel> cut = all;
      Random(seed).shuffle(cut);
      cut.resize(std::min<std::size_t>(cut.size() / 3, 1 + seed));
      compared += expect_same(whole, old, cut) ? 1U : 0U;
    }
    EXPECT_GT(compared, 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Trees, EachTree,
                         testing::Values("xgft(2;3,4;1,4)", "pgft(2;4,4;1,2;1,2)", "ft(4,3)",
                                         "pgft(3;2,3,3;1,3,2;1,1,2)", "xgft(3;2,2,4;1,3,2)",
                                         "kary(2,4)"));

TEST(FaultRepair, ARowOfCutsAndMendsStaysWholeAndFreeOfDeadlock) {
  const Model whole(make_fabric("pgft(3;4,4,4;1,4,2;1,1,2)"));
  TablesInUse in_use(whole, route(find_engine("ftree"), whole).tables);
  FaultRepair repair(in_use);
  const std::vector<Channel> all = cables_between_switches(whole.fabric());
  std::vector<Channel> dead;
  Random random(5);
  for (int step = 0; step < 25; ++step) {
    if (dead.size() > 8 || (!dead.empty() && random.below(3) == 0)) {
      const std::vector<Channel> mended = {
          dead[random.below(static_cast<std::uint32_t>(dead.size()))]};
      std::erase(dead, mended.front());
      in_use.mark_working(mended);
      in_use.apply(repair.fill_holes());
    } else {
      const std::vector<Channel> cut = {all[random.below(static_cast<std::uint32_t>(all.size()))]};
      if (std::ranges::find(dead, cut.front()) != dead.end()) continue;
      dead.push_back(cut.front());
      in_use.mark_dead(cut);
      in_use.apply(repair.cut(cut));
    }
    const Model now(with_faults(whole.fabric(), {.cut = dead, .removed = {}}), hints_of(whole));
    Routing routing;
    routing.tables = in_use.tables();
    const Verdict verdict = verify(now, routing);
    EXPECT_EQ(verdict.reachability.loops, 0U);
    EXPECT_TRUE(verdict.deadlock.free());
    EXPECT_EQ(find_legal_but_lost(now.fabric(), routing, whole.levels()).total(), 0U) << step;
  }
}

}  // namespace
}  // namespace fatwood
