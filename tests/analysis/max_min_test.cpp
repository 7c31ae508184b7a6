// SPDX-License-Identifier: BSD-3-Clause
// Fair shares: by hand, against exact fractions, and by their own certificate where those are slow.

#include "analysis/rates/max_min.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "analysis/rates/flow_run.hpp"
#include "analysis/rates/live_shares.hpp"
#include "core/random.hpp"
#include "oracle/fair_shares.hpp"

namespace fatwood {
namespace {

void add(ShareProblem& problem, const std::vector<LinkUse>& uses) {
  if (problem.first.empty()) problem.first.push_back(0);
  problem.uses.insert(problem.uses.end(), uses.begin(), uses.end());
  problem.first.push_back(static_cast<std::uint32_t>(problem.uses.size()));
}

TEST(MaxMin, ByHand) {
  // The parking lot: one long flow, one on each link.
  ShareProblem problem;
  problem.capacity = {1, 1, 4};
  add(problem, {{0, 1}, {1, 1}, {2, 1}});
  add(problem, {{0, 1}});
  add(problem, {{1, 1}});
  add(problem, {{2, 1}});
  const Shares shares = max_min_shares(problem);
  EXPECT_EQ(shares.rate, (std::vector<double>{0.5, 0.5, 0.5, 3.5}));
  EXPECT_EQ(shares.fixed_by[3], 2U);
}

TEST(MaxMin, WeightsCapsAndCoupledUses) {
  ShareProblem problem;
  problem.capacity = {12, 12};
  add(problem, {{0, 2}, {1, 1}});  // a ring that crosses link 0 twice
  add(problem, {{0, 1}});
  add(problem, {{1, 1}});
  add(problem, {});
  problem.weight = {1, 2, 1, 1};
  problem.cap = {kNoCap, kNoCap, 5, 7};
  const Shares shares = max_min_shares(problem);
  EXPECT_EQ(shares.rate, (std::vector<double>{3, 6, 5, 7}));
  EXPECT_EQ(shares.fixed_by[2], kNoLink);
  EXPECT_TRUE(oracle::is_max_min(problem, shares, 1e-12));
}

TEST(MaxMin, CertificateSeesWrongShares) {
  ShareProblem problem;
  problem.capacity = {1, 1};
  add(problem, {{0, 1}, {1, 1}});
  add(problem, {{0, 1}});
  Shares shares = max_min_shares(problem);
  EXPECT_TRUE(oracle::is_max_min(problem, shares, 1e-12));
  shares.rate = {0.4, 0.6};  // fits, but takes from the smaller
  EXPECT_FALSE(oracle::is_max_min(problem, shares, 1e-12));
  shares.rate = {0.6, 0.6};
  EXPECT_FALSE(oracle::is_max_min(problem, shares, 1e-12));
  shares.rate = {0.4, 0.4};
  EXPECT_FALSE(oracle::is_max_min(problem, shares, 1e-12));
}

ShareProblem random_problem(Random& random, std::uint32_t links, std::uint32_t variables) {
  ShareProblem problem;
  for (std::uint32_t l = 0; l < links; ++l) problem.capacity.push_back(1 + random.below(4));
  const bool weighted = random.below(2) == 0;
  const bool capped = random.below(2) == 0;
  for (std::uint32_t v = 0; v < variables; ++v) {
    std::vector<LinkUse> uses;
    const std::uint32_t count = 1 + random.below(4);
    for (std::uint32_t i = 0; i < count; ++i) {
      uses.push_back({random.below(links), random.below(4) == 0 ? 2.0F : 1.0F});
    }
    add(problem, uses);
    if (weighted) problem.weight.push_back(1 + random.below(3));
    if (capped) problem.cap.push_back(random.below(3) == 0 ? (1 + random.below(8)) / 8.0 : kNoCap);
  }
  return problem;
}

TEST(MaxMin, AgreesWithExactFractions) {
  for (std::uint32_t sample = 0; sample < 300; ++sample) {
    Random random(11, sample);
    const ShareProblem problem = random_problem(random, 2 + random.below(12), 1 + random.below(20));
    const Shares shares = max_min_shares(problem);
    const std::vector<oracle::Exact> exact = oracle::fair_shares(problem);
    for (std::size_t v = 0; v < problem.size(); ++v) {
      const auto expected = static_cast<double>(exact[v]);
      ASSERT_NEAR(shares.rate[v], expected, 1e-13 * expected) << "sample " << sample << " v " << v;
    }
    EXPECT_TRUE(oracle::is_max_min(problem, shares, 1e-12));
  }
}

TEST(MaxMin, LargeProblemsHaveTheirCertificate) {
  for (std::uint32_t sample = 0; sample < 5; ++sample) {
    Random random(12, sample);
    const ShareProblem problem = random_problem(random, 2000, 10000);
    EXPECT_TRUE(oracle::is_max_min(problem, max_min_shares(problem), 1e-9));
  }
}

// Flows that come and go have the rates that solving from scratch gives.
TEST(LiveShares, AgreeWithSolvingFromScratch) {
  for (std::uint32_t sample = 0; sample < 20; ++sample) {
    Random random(13, sample);
    const ShareProblem pool = random_problem(random, 30, 120);
    LiveShares live(pool.capacity);
    std::map<std::size_t, LiveShares::Slot> in;
    for (unsigned step = 0; step < 60; ++step) {
      for (unsigned change = 0; change < 1 + random.below(4); ++change) {
        const std::size_t v = random.below(static_cast<std::uint32_t>(pool.size()));
        if (const auto at = in.find(v); at != in.end()) {
          live.remove(at->second);
          in.erase(at);
        } else {
          in[v] = live.add(pool.of(v), pool.weight.empty() ? 1 : pool.weight[v],
                           pool.cap.empty() ? kNoCap : pool.cap[v]);
        }
      }
      live.settle();
      ShareProblem now;
      now.capacity = pool.capacity;
      now.first.push_back(0);
      for (const auto& [v, slot] : in) {
        add(now, {pool.of(v).begin(), pool.of(v).end()});
        if (!pool.weight.empty()) now.weight.push_back(pool.weight[v]);
        if (!pool.cap.empty()) now.cap.push_back(pool.cap[v]);
      }
      const Shares shares = max_min_shares(now);
      std::size_t i = 0;
      for (const auto& [v, slot] : in) {
        ASSERT_NEAR(live.rate(slot), shares.rate[i], 1e-12 * shares.rate[i]);
        ++i;
      }
    }
  }
}

// An edge from a to b uses the links a and 10 + b.
OpUses cross_bar(const Program& program) {
  return route_program(program, [](Op, const Edge& edge, const auto& take) {
    take(edge.from, 1);
    take(10 + edge.to, 1);
  });
}

TEST(FlowRun, RatesChangeWhenFlowsEnd) {
  // 0 sends to 1 and 2, 3 sends to 2: halves, until the short one is through.
  Program program;
  program.endpoints = 4;
  program.add_message(0, 1, 10);
  program.add_message(0, 2, 30);
  program.add_message(3, 2, 30);
  const OpUses uses = cross_bar(program);
  const FlowRun run = run_flows(std::vector<double>(20, 2.0), {{{&program, &uses}}});
  EXPECT_DOUBLE_EQ(run.ops[0][0].end, 10);
  // Both at 1 all along: the link into 2 is full.
  EXPECT_DOUBLE_EQ(run.ops[0][1].end, 30);
  EXPECT_DOUBLE_EQ(run.ops[0][2].end, 30);
  EXPECT_EQ(run.ops[0][1].held_by, 12U);
  EXPECT_DOUBLE_EQ(run.seconds[0], 30);
}

TEST(FlowRun, WaitsDelaysAndWorkers) {
  Program program;
  program.endpoints = 2;
  const Op first = program.add_delay(1, 7);
  const Op second = program.add_delay(2, 7);  // the same worker: after the first
  const Op free = program.add_delay(2, 8);
  const Op message = program.add_message(0, 1, 4, std::vector<Op>{free});
  const Op with = program.add_delay(0.5, kNoWorker);
  program.add_wait_start(with, message);
  const Op last = program.add_delay(0, kNoWorker, std::vector<Op>{second, message});
  const OpUses uses = cross_bar(program);
  const FlowRun run = run_flows(std::vector<double>(20, 2.0), {{{&program, &uses, false, 0.25}}});
  const auto& ops = run.ops[0];
  EXPECT_DOUBLE_EQ(ops[first].end, 1);
  EXPECT_DOUBLE_EQ(ops[second].start, 1);
  EXPECT_DOUBLE_EQ(ops[second].end, 3);
  EXPECT_DOUBLE_EQ(ops[message].start, 2);
  EXPECT_DOUBLE_EQ(ops[message].end, 4.25);
  EXPECT_DOUBLE_EQ(ops[with].start, 2);
  EXPECT_DOUBLE_EQ(ops[last].end, 4.25);
}

TEST(FlowRun, WeightsDecideWhereProgramsShareALink) {
  Program one;
  one.endpoints = 2;
  one.add_message(0, 1, 10);
  const OpUses uses = cross_bar(one);
  const std::vector<RunProgram> both{{&one, &uses, false, 0, 3}, {&one, &uses}};
  const FlowRun run = run_flows(std::vector<double>(20, 4.0), both);
  EXPECT_DOUBLE_EQ(run.seconds[0], 10.0 / 3);
  EXPECT_DOUBLE_EQ(run.seconds[1], 5);  // 10/3 bytes at 1, the rest at 4
}

TEST(FlowRun, RepeatedJobsDisturbUntilTheEnd) {
  Program main;
  main.endpoints = 2;
  main.add_message(0, 1, 10);
  const OpUses uses = cross_bar(main);
  const RunProgram alone{&main, &uses};
  EXPECT_DOUBLE_EQ(run_flows(std::vector<double>(20, 1.0), {{alone}}).seconds[0], 10);
  Program small;
  small.endpoints = 2;
  small.add_message(0, 1, 1);
  const OpUses small_uses = cross_bar(small);
  const std::vector<RunProgram> both{alone, {&small, &small_uses, true}};
  const FlowRun run = run_flows(std::vector<double>(20, 1.0), both);
  EXPECT_DOUBLE_EQ(run.seconds[0], 20);
  EXPECT_DOUBLE_EQ(run.seconds[1], 2);
  // An empty program that repeats does not keep the others from their end.
  Program empty;
  empty.add_delay(0, kNoWorker);
  const OpUses none = cross_bar(empty);
  EXPECT_DOUBLE_EQ(
      run_flows(std::vector<double>(20, 1.0), {{alone, {&empty, &none, true}}}).seconds[0], 10);
}

TEST(Program, FindsCyclesOfWaits) {
  Program program;
  const Op a = program.add_delay(1, kNoWorker);
  const Op b = program.add_delay(1, kNoWorker, std::vector<Op>{a});
  const Op c = program.add_delay(1, kNoWorker, std::vector<Op>{b});
  program.add_delay(1, kNoWorker, std::vector<Op>{c});
  EXPECT_TRUE(program.cycle().empty());
  program.add_wait(a, c);
  const std::vector<Op> cycle = program.cycle();
  ASSERT_EQ(cycle.size(), 3U);
  EXPECT_EQ(std::set<Op>(cycle.begin(), cycle.end()), (std::set<Op>{a, b, c}));
}

}  // namespace
}  // namespace fatwood
