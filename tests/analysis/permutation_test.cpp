// SPDX-License-Identifier: BSD-3-Clause
// The kernels of permutation loads against link_loads, the sampling rule, and the findings of
// [Mahapatra12].

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "analysis/load/link_load.hpp"
#include "analysis/permutations/permutation_rates.hpp"
#include "analysis/permutations/permutation_study.hpp"
#include "io/fabric/spec.hpp"
#include "oracle/fair_shares.hpp"
#include "routing/engine.hpp"
#include "routing/resolve.hpp"
#include "topology/generate/tree.hpp"

namespace fatwood {
namespace {

std::vector<std::uint32_t> drawn(std::size_t n, std::uint64_t sample) {
  std::vector<std::uint32_t> destination_of(n);
  draw_permutation(1, sample, destination_of);
  return destination_of;
}
Fraction by_link_loads(const Fabric& fabric, const PathSource& paths,
                       std::span<const std::uint32_t> destination_of) {
  return max_load(link_loads(Model(fabric), paths, permutation_traffic(destination_of), 1));
}
Fraction load(PermutationLoad& kernel, std::span<const std::uint32_t> destination_of) {
  return {static_cast<std::int64_t>(kernel.max_load(destination_of)),
          static_cast<std::int64_t>(kernel.units_in_one())};
}

TEST(PermutationLoad, EveryKernelAgreesWithLinkLoads) {
  for (const TreeShape& shape :
       {xgft({4, 4, 4}, {1, 4, 2}), xgft({3, 2, 4}, {2, 3, 2}), xgft({4, 4}, {1, 1}),
        xgft({2, 3, 2, 3}, {1, 2, 3, 2}), m_port_n_tree(8, 3), xgft({20, 3, 2}, {1, 18, 2}),
        pgft({6, 6, 4}, {1, 6, 3}, {1, 1, 2}), xgft({4, 1, 3}, {1, 2, 2})}) {
    const Fabric fabric = make_tree(shape);
    const Model model(fabric);
    for (const char* name : {"dmodk", "smodk", "mlid", "disjoint:2", "disjoint:3", "disjoint:16",
                             "shift1:3", "umulti", "random:3", "wsr", "disjoint:5"}) {
      if (!find_algebraic(name)->defined(shape)) continue;
      const auto paths = path_source(make_algebraic(name, shape).routing);
      std::vector<std::unique_ptr<PermutationLoad>> kernels;
      kernels.push_back(permutation_load(model, *paths));
      kernels.push_back(pair_kernel(*paths->algebraic()));
      kernels.push_back(any_kernel(model, *paths));
      kernels.push_back(kernels[0]->clone());
      const std::size_t n = paths->num_adapters();
      std::vector<std::uint32_t> identity(n);
      std::iota(identity.begin(), identity.end(), 0U);
      for (const auto& kernel : kernels) EXPECT_EQ(kernel->max_load(identity), 0U);
      for (std::uint64_t sample = 0; sample < 8; ++sample) {
        const std::vector<std::uint32_t> destination_of = drawn(n, sample);
        const Fraction expected = by_link_loads(fabric, *paths, destination_of);
        for (const auto& kernel : kernels) {
          ASSERT_EQ(load(*kernel, destination_of), expected) << name << ' ' << shape.to_string();
        }
      }
    }
  }
}

TEST(PermutationLoad, SaturatedCountersAreCountedAgain) {
  // Every source of the first half meets one root: 512 * 20 units on a cable, more than 8 bits.
  const TreeShape shape = xgft({16, 16, 4}, {1, 1, 1});
  const Fabric fabric = make_tree(shape);
  const auto paths = path_source(make_algebraic("dmodk", shape).routing);
  std::vector<std::uint32_t> half(1024);
  for (std::uint32_t s = 0; s < 1024; ++s) half[s] = s ^ 512;
  EXPECT_EQ(load(*row_kernel(*paths->algebraic()), half), Fraction(256));
}

TEST(PermutationLoad, TablesAgreeWithTheClosedForm) {
  const Fabric fabric = make_tree(pgft({6, 6, 4}, {1, 6, 3}, {1, 1, 2}));
  const Model model(fabric);
  const auto closed = path_source(make_algebraic("dmodk", *fabric.tree()).routing);
  const auto tables = path_source(model, route(find_engine("dmodk"), model, {}));
  ASSERT_NE(tables->tables(), nullptr);
  const auto a = permutation_load(model, *closed);
  const auto b = permutation_load(model, *tables);
  for (std::uint64_t sample = 0; sample < 20; ++sample) {
    const auto destination_of = drawn(fabric.num_terminals(), sample);
    EXPECT_EQ(load(*a, destination_of), load(*b, destination_of));
  }
}

TEST(PermutationLoad, DrawsPermutationsEvenly) {
  std::vector<int> seen(24);
  for (std::uint64_t sample = 0; sample < 24000; ++sample) {
    const auto p = drawn(4, sample);
    EXPECT_EQ(std::set<std::uint32_t>(p.begin(), p.end()).size(), 4U);
    std::size_t number = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      std::size_t smaller = 0;
      for (std::size_t j = i + 1; j < 4; ++j) smaller += p[j] < p[i] ? 1U : 0U;
      number = number * (4 - i) + smaller;
    }
    ++seen[number];
  }
  double chi_square = 0;
  for (const int count : seen) chi_square += (count - 1000.0) * (count - 1000.0) / 1000.0;
  EXPECT_LT(chi_square, 50);  // 23 degrees of freedom: 49.7 is exceeded once in a thousand
}

PermutationStudy study(const char* name, const TreeShape& shape, int threads = 0) {
  const Fabric fabric = make_tree(shape);
  const Model model(fabric);
  const auto paths = path_source(make_algebraic(name, shape).routing);
  return permutation_study(*permutation_load(model, *paths), fabric.num_terminals(),
                           {.threads = threads});
}

TEST(PermutationStudy, SameAtAnyNumberOfThreadsAndWithinOnePercent) {
  const TreeShape shape = m_port_n_tree(8, 3);
  const PermutationStudy one = study("dmodk", shape, 1);
  const PermutationStudy three = study("dmodk", shape, 3);
  EXPECT_EQ(one.mean, three.mean);
  EXPECT_EQ(one.half_width, three.half_width);
  EXPECT_EQ(one.samples, three.samples);
  EXPECT_LE(2 * one.half_width, one.mean * 0.01);
  EXPECT_GE(one.samples, 1000U);
}

TEST(PermutationStudy, FindingsOfPaper001) {
  EXPECT_NEAR(study("dmodk", xgft({12, 12, 24}, {1, 12, 12})).mean, 5.93, 0.06);
  const TreeShape two = xgft({8, 16}, {1, 8});
  EXPECT_EQ(study("shift1:3", two).mean, study("disjoint:3", two).mean);
  EXPECT_EQ(study("disjoint:8", two).mean, 1.0);
  const TreeShape three = xgft({4, 4, 8}, {1, 4, 4});
  for (const char* K : {"2", "4", "8"}) {
    const double disjoint = study((std::string("disjoint:") + K).c_str(), three).mean;
    const double random = study((std::string("random:") + K).c_str(), three).mean;
    const double shift = study((std::string("shift1:") + K).c_str(), three).mean;
    EXPECT_LT(disjoint, random) << K;
    EXPECT_LT(random, shift) << K;
  }
  EXPECT_EQ(study("disjoint:16", three).mean, 1.0);
  EXPECT_EQ(study("disjoint:16", three).half_width, 0.0);
}

TEST(ShiftStudy, DModKOnAnRlftIsFreeOfConflicts) {
  for (const TreeShape& shape : {pgft({6, 6, 4}, {1, 6, 2}, {1, 1, 3}), m_port_n_tree(8, 3)}) {
    const Fabric fabric = make_tree(shape);
    const Model model(fabric);
    const auto paths = path_source(make_algebraic("dmodk", shape).routing);
    const ShiftStudy shifts =
        shift_study(*permutation_load(model, *paths), fabric.num_terminals(), 2);
    EXPECT_EQ(shifts.worst, Fraction(1));
    EXPECT_EQ(shifts.conflict_free, fabric.num_terminals() - 1);
    EXPECT_EQ(shifts.mean, 1.0);
  }
  const TreeShape thin = xgft({4, 4}, {1, 2});
  const Fabric fabric = make_tree(thin);
  const Model model(fabric);
  const auto paths = path_source(make_algebraic("dmodk", thin).routing);
  const ShiftStudy shifts = shift_study(*permutation_load(model, *paths), 16, 1);
  EXPECT_EQ(shifts.worst, Fraction(2));
}

// By exact fractions, over all channels of every path.
std::vector<double> exact_rates(const PathSource& paths, std::size_t channels,
                                std::span<const std::uint32_t> destination_of) {
  ShareProblem problem;
  problem.capacity.assign(channels, 1);
  problem.first = {0};
  for (std::uint32_t s = 0; s < destination_of.size(); ++s) {
    if (destination_of[s] == s) continue;
    const PathList list = paths.paths(Adapter{s}, Adapter{destination_of[s]});
    for (const Channel c : list.all()) problem.uses.push_back({index(c), 1});
    problem.first.push_back(static_cast<std::uint32_t>(problem.uses.size()));
  }
  const std::vector<oracle::Exact> exact = oracle::fair_shares(problem);
  std::vector<double> rates(destination_of.size(), 0);
  std::size_t v = 0;
  for (std::uint32_t s = 0; s < destination_of.size(); ++s) {
    if (destination_of[s] != s) rates[s] = static_cast<double>(exact[v++]);
  }
  return rates;
}

void expect_rates(PermutationRates& kernel, std::span<const std::uint32_t> destination_of,
                  std::span<const double> expected, const std::string& what) {
  const std::span<const double> rates = kernel.solve(destination_of);
  ASSERT_EQ(rates.size(), expected.size()) << what;
  for (std::size_t s = 0; s < rates.size(); ++s) {
    ASSERT_NEAR(rates[s], expected[s], 1e-13) << what << " host " << s;
  }
}

TEST(PermutationRates, KernelsAgreeWithExactFractions) {
  for (const TreeShape& shape :
       {xgft({4, 4, 4}, {1, 4, 2}), xgft({3, 2, 4}, {2, 3, 2}), xgft({4, 4}, {1, 1}),
        xgft({2, 3, 2, 3}, {1, 2, 3, 2}), m_port_n_tree(4, 3), xgft({8}, {1}),
        xgft({48, 2}, {1, 1}), pgft({3, 3, 4}, {1, 3, 2}, {1, 1, 2}), xgft({4, 1, 3}, {1, 2, 2})}) {
    const Model model(make_tree(shape));
    for (const char* name : {"dmodk", "smodk", "mlid"}) {
      if (!find_algebraic(name)->defined(shape)) continue;
      const auto paths = path_source(make_algebraic(name, shape).routing);
      if (paths->units_in_one() != 1) continue;
      const auto kernel = algebraic_rates(*paths->algebraic());
      ASSERT_NE(kernel, nullptr);
      const auto any = any_rates(model, *paths);
      const auto copy = kernel->clone();
      for (std::uint64_t sample = 0; sample < 4; ++sample) {
        const auto to = drawn(paths->num_adapters(), sample);
        const auto expected = exact_rates(*paths, model.fabric().num_channels(), to);
        const std::string what = fmt::format("{} {}", name, shape.to_string());
        expect_rates(*kernel, to, expected, what);
        expect_rates(*copy, to, expected, what);
        expect_rates(*any, to, expected, what);
      }
    }
  }
}

TEST(PermutationRates, TablesAgreeWithExactFractions) {
  for (const char* spec :
       {"xgft(3;4,3,4;1,2,2)", "torus(3,3,2)", "random(8,16,seed=5)", "ring(24)"}) {
    const Model model(make_fabric(spec));
    for (const char* engine : {"minhop", "updn+", "sssp"}) {
      const auto paths = resolve_paths(model, engine);
      ASSERT_NE(paths->tables(), nullptr);
      const auto kernel = table_rates(model, *paths->tables());
      for (std::uint64_t sample = 0; sample < 4; ++sample) {
        const auto to = drawn(paths->num_adapters(), sample);
        expect_rates(*kernel, to, exact_rates(*paths, model.fabric().num_channels(), to),
                     fmt::format("{} {}", spec, engine));
      }
    }
  }
}

// On fabrics that are too large for fractions: the same as the other solver.
TEST(PermutationRates, LargeTreesAgreeWithTheOtherSolver) {
  const TreeShape shape = xgft({12, 12, 24}, {1, 12, 12});
  const Model model(make_tree(shape));
  const auto closed = path_source(model, make_algebraic("dmodk", shape).routing);
  const auto tables = path_source(model, route(find_engine("dmodk"), model, {}));
  const auto any = any_rates(model, *closed);
  for (std::uint64_t sample = 0; sample < 2; ++sample) {
    const auto to = drawn(3456, sample);
    const std::span<const double> expected = any->solve(to);
    expect_rates(*permutation_rates(model, *closed), to, expected, "closed");
    expect_rates(*permutation_rates(model, *tables), to, expected, "tables");
  }
}

TEST(PermutationRates, BisectionsPairUpTwoHalves) {
  for (const std::size_t n : {8U, 9U}) {
    std::vector<std::uint32_t> to(n);
    draw_bisection(3, 1, to);
    std::size_t silent = 0;
    for (std::uint32_t s = 0; s < n; ++s) {
      EXPECT_EQ(to[to[s]], s);
      silent += to[s] == s ? 1U : 0U;
    }
    EXPECT_EQ(silent, n % 2);
  }
}

TEST(PermutationRates, StudyIsTheSameAtAnyNumberOfThreads) {
  const TreeShape shape = m_port_n_tree(8, 2);
  const Model model(make_tree(shape));
  const auto paths = path_source(make_algebraic("dmodk", shape).routing);
  const auto kernel = permutation_rates(model, *paths);
  const auto study = [&](int threads) {
    return rate_study(*kernel, 32, RatePattern::kBisections, {.threads = threads});
  };
  const RateStudy one = study(1);
  const RateStudy three = study(3);
  EXPECT_EQ(one.share.mean, three.share.mean);
  EXPECT_EQ(one.share.half_width, three.share.half_width);
  EXPECT_EQ(one.slowest, three.slowest);
  EXPECT_EQ(one.full, three.full);
  EXPECT_EQ(one.quantiles, three.quantiles);
  EXPECT_GT(one.slowest, 0.2);
  EXPECT_LT(one.slowest, one.share.mean);
  EXPECT_LT(one.share.mean, 1);
  EXPECT_LE(one.quantiles[0], one.quantiles[2]);
}

}  // namespace
}  // namespace fatwood
