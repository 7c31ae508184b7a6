// SPDX-License-Identifier: BSD-3-Clause
// The exact oblivious ratio against known values, Table 1 of [Yuan07] among them.

#include "analysis/worst/worst_case.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "analysis/bounds/oload.hpp"
#include "analysis/load/link_load.hpp"
#include "analysis/worst/worst_bounds.hpp"
#include "io/fabric/spec.hpp"
#include "oracle/worst_lp.hpp"
#include "routing/engine.hpp"
#include "routing/resolve.hpp"
#include "tasks/worst.hpp"
#include "topology/builder.hpp"
#include "topology/change/faults.hpp"

namespace fatwood {
namespace {

Fraction ratio(const std::string& routing, const TreeShape& shape) {
  const MadeAlgebraic made = make_algebraic(routing, shape);
  return worst_case(cable_use(*made.routing)).load;
}

TEST(WorstCase, ValuesOfTheTable) {
  struct Row {
    TreeShape shape;
    std::string osrm;
    Fraction dmodk, smodk, optimal, umulti, shift2, disjoint2, disjoint3;
  };
  const Row rows[] = {
      {m_port_n_tree(4, 2), "osrm2", 2, 2, 2, 1, 1, 1, 1},
      {m_port_n_tree(8, 2), "osrm2", 4, 4, 2, 1, 2, 2, {4, 3}},
      {m_port_n_tree(4, 3), "osrm3", 3, 3, 2, 1, 2, 2, {4, 3}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.shape.to_string());
    EXPECT_EQ(ratio("dmodk", row.shape), row.dmodk);
    EXPECT_EQ(ratio("smodk", row.shape), row.smodk);
    EXPECT_EQ(ratio(row.osrm, row.shape), row.optimal);
    EXPECT_EQ(ratio("umulti", row.shape), row.umulti);
    EXPECT_EQ(ratio("shift1:2", row.shape), row.shift2);
    EXPECT_EQ(ratio("disjoint:2", row.shape), row.disjoint2);
    EXPECT_EQ(ratio("disjoint:3", row.shape), row.disjoint3);
  }
}

TEST(WorstCase, TableOneOfPaper000) {
  for (const auto& [m, root] : {std::pair{4U, 2}, {8U, 2}, {16U, 4}, {32U, 4}}) {
    SCOPED_TRACE(m);
    const TreeShape shape = m_port_n_tree(m, 2);
    EXPECT_EQ(ratio("osrm2", shape), Fraction(root));
    EXPECT_EQ(ratio("mlid", shape), Fraction(m / 2));
    EXPECT_EQ(ratio("wsr", shape), Fraction(m / 2));
    EXPECT_EQ(ratio("umulti", shape), Fraction(1));
  }
  for (const unsigned m : {4U, 8U}) {
    SCOPED_TRACE(m);
    const TreeShape shape = m_port_n_tree(m, 3);
    EXPECT_EQ(ratio("osrm3", shape), Fraction(m / 2));
    EXPECT_EQ(ratio("mlid", shape), Fraction(m - 1));
    EXPECT_EQ(ratio("wsr", shape), Fraction(m - 1));
    EXPECT_EQ(ratio("umulti", shape), Fraction(1));
  }
}

// K paths on FT(16,2) and FT(8,3): the least that a cover can give is ceil(sqrt(X K))/K, X the
// number of paths.
TEST(WorstCase, LatticeCoversReachTheirBound) {
  const TreeShape two = m_port_n_tree(16, 2);
  const Fraction of_two[] = {3, 2, {5, 3}, {3, 2}, {7, 5}, {7, 6}, {8, 7}, 1};
  for (unsigned K = 1; K <= 8; ++K) {
    EXPECT_EQ(ratio("osrm:" + std::to_string(K), two), of_two[K - 1]) << K;
  }
  const TreeShape three = m_port_n_tree(8, 3);
  const std::pair<unsigned, Fraction> of_three[] = {{1, 4},      {2, 3},      {3, {7, 3}}, {4, 2},
                                                    {5, {9, 5}}, {6, {5, 3}}, {8, {3, 2}}, {16, 1}};
  for (const auto& [K, value] : of_three) {
    EXPECT_EQ(ratio("osrm:" + std::to_string(K), three), value) << K;
  }
}

TEST(WorstCase, LatticePathsAreDifferent) {
  for (const TreeShape& shape :
       {m_port_n_tree(12, 2), m_port_n_tree(6, 3), xgft({6, 4, 5}, {1, 3, 4}),
        pgft({4, 4, 2}, {1, 4, 2}, {1, 1, 2}), xgft({3, 2, 4, 3}, {1, 3, 2, 2})}) {
    const PathSpace space(shape);
    for (std::uint32_t K = 1; K <= space.U(shape.height()); K += 1 + K / 4) {
      const AlgebraicPtr routing = make_osrm(shape, {.paths = K});
      for (std::uint32_t s = 0; s < space.nodes(); s += 3) {
        for (std::uint32_t d = 0; d < space.nodes(); ++d) {
          if (s == d) continue;
          const std::vector<PathIndex> paths = routing->paths(s, d);
          const std::set<PathIndex> different(paths.begin(), paths.end());
          const unsigned k = space.common_level(s, d);
          ASSERT_EQ(different.size(), routing->num_paths(k)) << shape.to_string() << " K " << K;
          ASSERT_EQ(paths.size(), different.size());
          ASSERT_LT(*different.rbegin(), space.U(k));
        }
      }
    }
  }
}

TEST(WorstCase, TheSameByLinearProgram) {
  for (const TreeShape& shape :
       {m_port_n_tree(4, 2), xgft({2, 3}, {1, 3}), xgft({3, 3}, {1, 2}), xgft({2, 2, 2}, {1, 2, 2}),
        pgft({2, 3}, {1, 2}, {1, 2}), xgft({2, 2}, {2, 2}), pgft({2, 2}, {1, 2}, {2, 1})}) {
    for (const std::string name : {"dmodk", "smodk", "random", "wsr", "umulti", "shift1:2",
                                   "disjoint:2", "random:2", "osrm:1", "osrm:2", "osrm:3"}) {
      if (!find_algebraic(name)->defined(shape)) continue;
      const MadeAlgebraic made = make_algebraic(name, shape);
      const auto by_lp = oracle::worst_ratio_by_lp(*made.routing);
      if (!by_lp) GTEST_SKIP() << "esolver (qsopt-ex) is not here";
      EXPECT_EQ(worst_case(cable_use(*made.routing)).load, *by_lp)
          << shape.to_string() << ' ' << name;
    }
  }
}

// Hosts with two ports, each in a plane of its own: every routing there is.
TEST(WorstCase, TheSameByLinearProgramInTwoPlanes) {
  const Model model(make_fabric("xgft(2;4,3;2,2)"));
  std::vector<std::string> words;
  for (const Engine& engine : engines()) {
    if (!engine.has(Engine::kAdaptive)) words.emplace_back(engine.name);
  }
  for (const AlgebraicKind& kind : algebraic_kinds()) {
    if (!kind.defined(*model.fabric().tree())) continue;
    words.push_back(std::string(kind.name()) + (kind.takes_paths() ? ":2" : ""));
  }
  EXPECT_GT(words.size(), 20U);
  for (const std::string& word : words) {
    const auto paths = resolve_paths(model, word);
    const auto by_lp = oracle::worst_ratio_of_tree_by_lp(model, *paths);
    if (!by_lp) GTEST_SKIP() << "esolver (qsopt-ex) is not here";
    const WorstReport found = find_worst(model, *paths, word, {});
    ASSERT_TRUE(found.exact) << word << ": " << found.why_bounds;
    EXPECT_EQ(found.exact->load, *by_lp) << word;
    EXPECT_EQ(found.mload / found.oload, *by_lp) << word;
  }
}

// Two leaves of three hosts under two spines; one of the cables is slow.
Fabric with_a_slow_cable() {
  FabricBuilder builder;
  std::vector<FabricBuilder::Handle> leaves;
  std::vector<FabricBuilder::Handle> spines;
  const Rate fast{4, Speed::kEdr};
  for (int i = 0; i < 2; ++i) leaves.push_back(builder.add_switch(fmt::format("L{}", i), 5));
  for (int i = 0; i < 2; ++i) spines.push_back(builder.add_switch(fmt::format("S{}", i), 2));
  for (std::uint32_t i = 0; i < 6; ++i) {
    builder.connect(builder.add_adapter(fmt::format("H{}", i), 1), Port{1}, leaves[i / 3],
                    static_cast<Port>(1 + i % 3), fast);
  }
  for (std::uint32_t leaf = 0; leaf < 2; ++leaf) {
    for (std::uint32_t spine = 0; spine < 2; ++spine) {
      const bool slow = leaf == 1 && spine == 0;
      builder.connect(leaves[leaf], static_cast<Port>(4 + spine), spines[spine],
                      static_cast<Port>(1 + leaf), slow ? Rate{4, Speed::kDdr} : fast);
    }
  }
  return builder.build();
}

TEST(WorstBounds, OfSlowCablesAgainstAllPermutations) {
  const Model model(with_a_slow_cable());
  const auto paths = path_source(model, route(find_engine("minhop"), model));
  std::vector<std::uint32_t> to{0, 1, 2, 3, 4, 5};
  Fraction worst = 0;
  Fraction by_flows = 0;
  do {
    const Traffic traffic = permutation_traffic(to);
    worst = std::max(worst, max_load(link_loads(model, *paths, traffic, 1)));
    by_flows =
        std::max(by_flows, max_load(link_loads(model, *paths, traffic, 1, Weighing::kFlows)));
  } while (std::ranges::next_permutation(to).found);
  EXPECT_GT(worst, by_flows);  // the slow cable is worse than any full one
  const WorstOptions options{.traffic = TrafficClass::kPermutation};
  const WorstReport found = find_worst(model, *paths, "minhop", options);
  ASSERT_TRUE(found.bounds);
  EXPECT_TRUE(found.bounds->exact);
  EXPECT_EQ(found.bounds->at_most, worst);
  EXPECT_EQ(max_load(link_loads(model, *paths, found.traffic)), worst);
  // Of all traffic: what is shown is no more than what is proved, and the traffic shows it.
  const WorstReport any = find_worst(model, *paths, "minhop", {});
  ASSERT_TRUE(any.bounds);
  EXPECT_LE(any.bounds->ratio_at_least, any.bounds->at_most.value() + 1e-9);
  EXPECT_GE(any.bounds->ratio_at_least, 1);
}

// A complete tree carries every permutation without a conflict.
TEST(NegotiatedLoad, OfPermutationsOfAWholeTreeIsOne) {
  const Model model(make_fabric("ft(8,2)"));
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto found = negotiated_load(model, random_permutation(model.adapters().size(), seed));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->largest, Fraction(1));
    EXPECT_TRUE(found->meeting.empty());
  }
}

// Two flows that must share a cable.
TEST(NegotiatedLoad, OfFlowsThatMustMeet) {
  const Model model(make_fabric("xgft(2;2,2;1,1)"));
  const auto found =
      negotiated_load(model, {4, 1, {{Adapter{0}, Adapter{2}, 1}, {Adapter{1}, Adapter{3}, 1}}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->largest, Fraction(2));
  EXPECT_EQ(found->meeting, std::vector<std::size_t>{1});
}

// Bounds of damaged trees, against the exact program of each channel over all paths.
TEST(WorstBounds, MeetWhatCanBeRouted) {
  for (const char* spec : {"ft(4,2)", "xgft(2;3,3;1,3)"}) {
    for (const std::uint64_t seed : {1U, 2U}) {
      const Fabric whole = make_fabric(spec);
      const std::vector<FaultRequest> orders = {{FaultKind::kCut, "2", {}}};
      const Model model(with_faults(whole, find_faults(whole, orders, {seed, Connection::kKept})));
      const auto paths = path_source(model, route(find_engine("even"), model));
      const std::optional<Fraction> exact = oracle::worst_ratio_by_lp(model, *paths);
      if (!exact) GTEST_SKIP() << "esolver (qsopt-ex) is not here";
      const WorstBounds found = worst_bounds(model, *paths);
      EXPECT_NEAR(found.at_most.value(), exact->value(), 1e-4) << spec << seed;
      EXPECT_NEAR(found.ratio_at_least, exact->value(), 1e-4) << spec << seed;
      EXPECT_TRUE(!found.exact || found.at_most == *exact) << spec << seed;
    }
  }
}

// Where cuts ask for more than can be routed, programs close the gap.
TEST(WorstBounds, ProgramsCloseTheGap) {
  const Fabric whole = make_fabric("ft(8,3)");
  const std::vector<FaultRequest> orders = {{FaultKind::kCut, "10%", {}}};
  const Model model(with_faults(whole, find_faults(whole, orders, {1, Connection::kKept})));
  const auto paths = path_source(model, route(find_engine("even"), model));
  const WorstBounds found = worst_bounds(model, *paths);
  EXPECT_GE(found.at_most.value(), found.ratio_at_least);
  EXPECT_LE(found.at_most.value(), found.ratio_at_least * (1 + 1e-4));
}

}  // namespace
}  // namespace fatwood
