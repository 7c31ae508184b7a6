// SPDX-License-Identifier: BSD-3-Clause
// The engine that compare recommends, step by step of its rule, on rows made up for it.

#include "report/load/recommendation.hpp"

#include <gtest/gtest.h>

#include "topology/generate/spec.hpp"

namespace fatwood {
namespace {

EngineRow row(const std::string& name, std::int64_t fullest) {
  EngineRow row;
  row.name = name;
  row.result.emplace();
  row.result->deadlock_free = true;
  row.result->flows.largest = fullest;
  row.result->shift.largest = 2;
  return row;
}

std::string chosen(const std::vector<EngineRow>& rows) {
  const auto found = recommend(rows);
  return found ? found->engine : "";
}

bool says(const std::vector<EngineRow>& rows, const std::string& words) {
  const auto found = recommend(rows);
  return found && found->reason.find(words) != std::string::npos;
}

TEST(Recommendation, TheLeastOnTheFullestChannel) {
  const std::vector rows{row("a", 30), row("b", 20), row("c", 25)};
  EXPECT_EQ(chosen(rows), "b");
  EXPECT_TRUE(says(rows, "of the 3 engines that do it has the least")) << recommend(rows)->reason;
  EXPECT_TRUE(says(rows, "20 flows when every host sends to every other; c has 25."));
}

TEST(Recommendation, WhatDoesNotHoldIsNotRecommended) {
  std::vector rows{row("refuses", 1),  row("cycle", 2), row("loops", 3),
                   row("per-pair", 4), row("loses", 5), row("holds", 60)};
  rows[0].result.reset();
  rows[1].result->deadlock_free = false;
  rows[2].result->reachability.loops = 1;
  rows[3].source_routes = true;
  rows[4].result->reachability.unreachable.switch_switch = 2;
  EXPECT_EQ(chosen(rows), "holds");
  EXPECT_TRUE(says(rows, "and no other engine compared here does")) << recommend(rows)->reason;
  rows.pop_back();
  EXPECT_EQ(chosen(rows), "loses");  // the fabric may be disconnected
  EXPECT_TRUE(says(rows, "the fewest pairs without a route (2)")) << recommend(rows)->reason;
  rows.pop_back();
  EXPECT_FALSE(recommend(rows));
  EXPECT_FALSE(recommend({}));
}

TEST(Recommendation, TiesGoByShiftsThenLanesThenHopsThenTheList) {
  std::vector rows{row("a", 20), row("b", 20)};
  EXPECT_EQ(chosen(rows), "a");
  EXPECT_TRUE(says(rows, "b is as good")) << recommend(rows)->reason;
  rows[1].for_trees = true;
  EXPECT_EQ(chosen(rows), "b");
  EXPECT_TRUE(says(rows, "it is made for trees; a is for any fabric"));
  rows[0].result->hops.terminals.pairs = {0, 0, 1};  // two hops
  rows[1].result->hops.terminals.pairs = {0, 1};
  EXPECT_EQ(chosen(rows), "b");
  EXPECT_TRUE(says(rows, "shortest routes: 1.000 hops on average, where a has 2.000"));
  rows[1].result->lanes = 2;
  EXPECT_EQ(chosen(rows), "a");
  EXPECT_TRUE(says(rows, "fewest lanes: 1, where b takes 2"));
  rows[0].result->shift.shifts = rows[1].result->shift.shifts = 4;
  rows[0].result->shift.all_largest = 7;
  rows[1].result->shift.all_largest = 6;
  EXPECT_EQ(chosen(rows), "b");
  EXPECT_TRUE(says(rows, "of a shift, on average: 1.500, where a has 1.750"));
  rows[0].result->shift.largest = 1;
  EXPECT_EQ(chosen(rows), "a");
  EXPECT_TRUE(says(rows, "in any shift permutation: 1, where b has 2"));
}

// What no cables join is not held against an engine.
TEST(Recommendation, PairsThatNoCablesJoinAreNotLost) {
  std::vector rows{row("loses", 10), row("joins", 20)};
  for (EngineRow& each : rows) {
    each.result->reachability.unreachable.switch_switch = 6;
    each.result->reachability.apart.switch_switch = 6;
  }
  rows[0].result->reachability.unreachable.switch_switch = 7;
  EXPECT_EQ(chosen(rows), "joins");
  EXPECT_TRUE(says(rows, "joins joins every pair that cables join without deadlock"))
      << recommend(rows)->reason;
}

TEST(Recommendation, SecondsDoNotCount) {
  std::vector rows{row("a", 20), row("b", 20)};
  rows[0].result->seconds = 100;
  EXPECT_EQ(chosen(rows), "a");
}

TEST(Recommendation, ComparedEnginesHaveOneInTextAndJson) {
  const Model model(make_fabric("ft(4,2)"));
  const std::vector<EngineRow> rows = compare_engines(model, {});
  const auto found = recommend(rows);
  ASSERT_TRUE(found);
  EXPECT_TRUE(compare_text(rows).ends_with("\nRecommended: " + found->reason + "\n"));
  const std::string json = compare_json(rows);
  EXPECT_NE(json.find("\"recommendation\""), std::string::npos);
  EXPECT_NE(json.find(found->reason), std::string::npos);
}

}  // namespace
}  // namespace fatwood
