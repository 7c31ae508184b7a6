// SPDX-License-Identifier: BSD-3-Clause
// What is known of tables by the difference from others equals what all rows tell.

#include "routing/repair/known_tables.hpp"

#include <gtest/gtest.h>

#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "routing/improve/row_flows.hpp"
#include "routing/repair/forced.hpp"
#include "topology/change/faults.hpp"
#include "verify/deadlock/deadlock.hpp"
#include "verify/reach/reachability.hpp"

namespace fatwood {
namespace {

Fabric without_cables(const Fabric& fabric, const std::string& what, std::uint64_t seed) {
  const std::vector<FaultRequest> orders = {{FaultKind::kCut, what, {}}};
  return with_faults(fabric, find_faults(fabric, orders, {seed, Connection::kKept}));
}

void expect_same(KnownTables& known, const PlacedTables& tables) {
  KnownTables expected(tables, 1);
  for (const Destination d : ids<Destination>(tables.tables.num_destinations())) {
    EXPECT_EQ(known.paths(d), expected.paths(d));
  }
  EXPECT_EQ(known.looks(tables, 2), expected.looks(tables, 1));
  EXPECT_EQ(known.use(), expected.use());
  EXPECT_EQ(known.dependencies(), expected.dependencies());
  EXPECT_EQ(known.lost().all, expected.lost().all);

  Routing routing;
  routing.tables = tables.tables;
  const Fabric& fabric = tables.model.fabric();
  EXPECT_EQ(graph_of(fabric, known.dependencies()), find_dependencies(fabric, routing).front());
  const Reachability reach = find_reachability(fabric, routing);
  EXPECT_EQ(known.lost().loops, reach.loops);
  EXPECT_EQ(known.lost().terminals, reach.lost().terminal_terminal);
  EXPECT_EQ(known.lost().all, reach.lost().total());
}

TEST(KnownTables, TheDifferenceGivesTheSameAsAllRows) {
  for (const char* spec : {"ft(4,3)", "rlft(3,3)", "xgft(3;3,2,4;1,2,3)", "ft(8,2)"}) {
    const Model before(make_fabric(spec));
    for (const char* engine : {"sftree", "ftree", "updn+"}) {
      const ForwardingTables old = route(find_engine(engine), before).tables;
      const KnownTables known_before({before, old});
      const TableFlows flows_before({before, old});
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        SCOPED_TRACE(testing::Message() << spec << " " << engine << " " << seed);
        const Model after(without_cables(before.fabric(), seed % 2 == 0 ? "1" : "3", seed));
        if (!KnownTables::may_change(before, after)) continue;
        const auto rows = rows_led_elsewhere(before, after, old);
        KnownTables known = known_before;
        known.change({before, old}, {after, old}, rows, 2);
        expect_same(known, {after, old});
        TableFlows flows = flows_before;
        flows.change({before, old}, {after, old}, rows, 2);
        EXPECT_EQ(flows.flows(), TableFlows({after, old}).flows());

        const ForwardingTables repaired = keep_what_can_stay(after, old).tables;
        known.change(after, old, repaired);
        expect_same(known, {after, repaired});
        flows.change({after, old}, {after, repaired}, changed_rows(old, repaired), 1);
        EXPECT_EQ(flows.flows(), TableFlows({after, repaired}).flows());
      }
    }
  }
}

TEST(KnownTables, AnotherFabricIsNotFollowed) {
  const Model tree(make_fabric("ft(4,3)"));
  EXPECT_TRUE(KnownTables::may_change(tree, tree));
  EXPECT_FALSE(KnownTables::may_change(tree, Model(make_fabric("ft(6,3)"))));
  // More cables: a row that used none of them may have a legal path now.
  const Model damaged(without_cables(tree.fabric(), "1", 1));
  EXPECT_FALSE(KnownTables::may_change(damaged, tree));
}

}  // namespace
}  // namespace fatwood
