// SPDX-License-Identifier: BSD-3-Clause
// The engine that compare recommends, step by step of its rule, on rows made up for it.

#include "tasks/recommend.hpp"

#include <gtest/gtest.h>

#include "io/fabric/spec.hpp"

namespace fatwood {
namespace {

// `percent` of a port for the worst pair.
EngineRow row(const std::string& name, std::int64_t percent) {
  EngineRow row;
  row.name = name;
  row.result.emplace();
  row.result->deadlock_free = true;
  row.result->rates = {Fraction(percent, 100), Fraction(percent, 100), 0, 1, 0};
  row.result->shift.emplace();
  row.result->shift->largest = 2;
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

TEST(Recommendation, TheBestWorstPairThenTheFirstPercentThenTheMedianThenEvenCuts) {
  std::vector rows{row("a", 30), row("b", 70), row("c", 50)};
  EXPECT_EQ(chosen(rows), "b");
  EXPECT_TRUE(says(rows, "best worst pair: 70% of a port, where c has 50%"))
      << recommend(rows)->reason;
  EXPECT_FALSE(recommend(rows)->all_equal);
  rows = {row("a", 70), row("b", 70)};
  EXPECT_TRUE(recommend(rows)->all_equal);
  rows[1].result->evenness_mean = 0.98;
  EXPECT_EQ(chosen(rows), "b");
  EXPECT_TRUE(says(rows, "mean evenness of cuts: 0.98, where a has 1.00"));
  rows[0].result->rates.median = Fraction(102, 100);
  EXPECT_EQ(chosen(rows), "a");
  EXPECT_TRUE(says(rows, "median pair"));
  rows[1].result->rates.p1 = Fraction(71, 100);
  EXPECT_EQ(chosen(rows), "b");
  EXPECT_TRUE(says(rows, "1st-percentile pair"));
  // Less than 1% of a port decides nothing.
  rows = {row("a", 70), row("b", 70)};
  rows[1].result->rates.worst = Fraction(7004, 10000);
  EXPECT_EQ(chosen(rows), "a");
}

TEST(Recommendation, JobsCountAsMuchAsTheWorstPair) {
  std::vector rows{row("a", 70), row("b", 60), row("c", 60)};
  const auto jobs = [](double mean) {
    JobEfficiency figures;
    figures.by_traffic[0] = JobSummary{mean, 0.3, 1};
    return figures;
  };
  rows[0].result->jobs = jobs(0.5);
  rows[1].result->jobs = jobs(0.8);
  rows[2].result->jobs = jobs(0.55);
  EXPECT_EQ(chosen(rows), "b");
  EXPECT_TRUE(says(rows, "best mean of jobs and worst pair: 70% of a port, where a has 60%"))
      << recommend(rows)->reason;
  rows[1].result->jobs = jobs(0.6);  // as good as a in the mean: the worst pair decides
  EXPECT_EQ(chosen(rows), "a");
}

TEST(Recommendation, TablesInUseAreKeptWhereNoEngineGivesMore) {
  std::vector rows{row("in use", 70), row("engine", 70)};
  rows[0].current = true;
  EXPECT_TRUE(recommend(rows)->keep_current);
  EXPECT_EQ(chosen(rows), "engine");
  rows[1] = row("engine", 71);
  EXPECT_FALSE(recommend(rows)->keep_current);
  rows[0] = row("in use", 100);
  rows[0].current = true;
  rows[0].result->deadlock_free = false;
  EXPECT_FALSE(recommend(rows)->keep_current);
}

TEST(Recommendation, RowsAreRankedBestFirstRefusalsLast) {
  std::vector rows{row("refuses", 1), row("cycle", 90), row("adaptive", 95), row("slow", 20),
                   row("fast", 60)};
  rows[0].result.reset();
  rows[1].result->deadlock_free = false;
  rows[2].result->adaptive = true;
  rank_rows(rows);
  std::vector<std::string> names;
  for (const EngineRow& each : rows) names.push_back(each.name);
  EXPECT_EQ(names, (std::vector<std::string>{"fast", "slow", "adaptive", "cycle", "refuses"}));
}

TEST(Recommendation, WhatDoesNotHoldIsNotRecommended) {
  std::vector rows{row("refuses", 99),  row("cycle", 98), row("loops", 97),
                   row("per-pair", 96), row("loses", 95), row("holds", 10)};
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
  EXPECT_TRUE(says(rows, "fewest VLs: 1, where b takes 2"));
  rows[0].result->shift->shifts = rows[1].result->shift->shifts = 4;
  rows[0].result->shift->all_largest = 7;
  rows[1].result->shift->all_largest = 6;
  EXPECT_EQ(chosen(rows), "b");
  EXPECT_TRUE(says(rows, "fewest flows on a link in shifts; a has more"));
  rows[0].result->shift->largest = 1;
  EXPECT_EQ(chosen(rows), "a");
  EXPECT_TRUE(says(rows, "fewest flows on a link in shifts; b has more"));
}

// Disconnected pairs do not count against an engine.
TEST(Recommendation, PairsThatNoCablesJoinAreNotLost) {
  std::vector rows{row("loses", 20), row("joins", 10)};
  for (EngineRow& each : rows) {
    each.result->reachability.unreachable.switch_switch = 6;
    each.result->reachability.disconnected.switch_switch = 6;
  }
  rows[0].result->reachability.unreachable.switch_switch = 7;
  EXPECT_EQ(chosen(rows), "joins");
  EXPECT_TRUE(says(rows, "joins connects every pair that cables connect without deadlock"))
      << recommend(rows)->reason;
}

TEST(Recommendation, SecondsDoNotCount) {
  std::vector rows{row("a", 20), row("b", 20)};
  rows[0].result->seconds = 100;
  EXPECT_EQ(chosen(rows), "a");
}

TEST(Recommendation, ComparedEnginesAreRankedAndSlowOnesLeftOut) {
  const Model model(make_fabric("ft(4,2)"));
  const Comparison few = compare(model, {});
  EXPECT_EQ(few.left_out,
            (std::vector<std::string>{"nue", "bfot", "bfot+", "apot", "apot-matrix"}));
  EXPECT_EQ(few.baseline, "minhop");
  ASSERT_TRUE(recommend(few.rows));
  EXPECT_EQ(few.rows.front().name, recommend(few.rows)->engine);
  const Comparison all = compare(model, {.slow = SlowEngines::kAlways});
  // Engines of Ethernet run there, or if all are asked for.
  const auto of_ethernet = static_cast<std::size_t>(std::ranges::count_if(
      engines(), [](const Engine& engine) { return engine.has(Engine::kEthernet); }));
  EXPECT_EQ(all.rows.size(), few.rows.size() + few.left_out.size() + of_ethernet);
  const Comparison clos = compare(Model(make_fabric("clos(leaves=4,spines=2,hosts=4)")), {});
  EXPECT_NE(std::ranges::find(clos.rows, "ecmp", &EngineRow::name), clos.rows.end());
  // A ring is no tree: the slow ones could win.
  EXPECT_TRUE(compare(Model(make_fabric("ring(5)")), {}).left_out.empty());
}

}  // namespace
}  // namespace fatwood
