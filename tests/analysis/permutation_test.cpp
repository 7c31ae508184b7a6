// SPDX-License-Identifier: BSD-3-Clause
// The kernels of permutation loads against link_loads, the sampling rule, and the findings of
// [Mahapatra12].

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "analysis/link_load.hpp"
#include "analysis/permutation_study.hpp"
#include "routing/engine.hpp"
#include "topology/tree.hpp"

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
      if (!find_oblivious(name)->defined(shape)) continue;
      const auto paths = path_source(make_oblivious(name, shape).routing);
      std::vector<std::unique_ptr<PermutationLoad>> kernels;
      kernels.push_back(permutation_load(model, *paths));
      kernels.push_back(pair_kernel(*paths->oblivious()));
      kernels.push_back(any_kernel(model, *paths));
      kernels.push_back(kernels[0]->clone());
      const std::size_t n = paths->num_hosts();
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
  const auto paths = path_source(make_oblivious("dmodk", shape).routing);
  std::vector<std::uint32_t> half(1024);
  for (std::uint32_t s = 0; s < 1024; ++s) half[s] = s ^ 512;
  EXPECT_EQ(load(*row_kernel(*paths->oblivious()), half), Fraction(256));
}

TEST(PermutationLoad, TablesAgreeWithTheClosedForm) {
  const Fabric fabric = make_tree(pgft({6, 6, 4}, {1, 6, 3}, {1, 1, 2}));
  const Model model(fabric);
  const auto closed = path_source(make_oblivious("dmodk", *fabric.tree()).routing);
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
  const auto paths = path_source(make_oblivious(name, shape).routing);
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
    const auto paths = path_source(make_oblivious("dmodk", shape).routing);
    const ShiftStudy shifts =
        shift_study(*permutation_load(model, *paths), fabric.num_terminals(), 2);
    EXPECT_EQ(shifts.worst, Fraction(1));
    EXPECT_EQ(shifts.conflict_free, fabric.num_terminals() - 1);
    EXPECT_EQ(shifts.mean, 1.0);
  }
  const TreeShape thin = xgft({4, 4}, {1, 2});
  const Fabric fabric = make_tree(thin);
  const Model model(fabric);
  const auto paths = path_source(make_oblivious("dmodk", thin).routing);
  const ShiftStudy shifts = shift_study(*permutation_load(model, *paths), 16, 1);
  EXPECT_EQ(shifts.worst, Fraction(2));
}

}  // namespace
}  // namespace fatwood
