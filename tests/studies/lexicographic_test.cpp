// SPDX-License-Identifier: BSD-3-Clause
// The lexicographic optimum: known on small trees, and `even` is near it.

#include "studies/lexicographic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "analysis/bounds/evenness.hpp"
#include "analysis/rates/bottleneck.hpp"
#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "topology/change/faults.hpp"

namespace fatwood {
namespace {

Model damaged(const char* spec, FaultKind kind, const char* what, std::uint64_t seed) {
  const Fabric whole = make_fabric(spec);
  const std::vector<FaultRequest> orders = {{kind, what, {}}};
  return Model(with_faults(
      whole, find_faults(whole, orders, {.seed = seed, .connection = Connection::kKept})));
}

TEST(Lexicographic, WholeTreesAreEven) {
  for (const char* spec : {"ft(4,3)", "ft(6,3)", "pgft(2;4,4;1,2;1,2)"}) {
    const auto found = lexicographic_optimum(Model(make_fabric(spec)));
    ASSERT_TRUE(found) << spec;
    EXPECT_NEAR(found->first, 1, 1e-6) << spec;
    EXPECT_NEAR(found->mean, 1, 1e-6) << spec;
  }
}

// Four leaves with four hosts and a cable to each of four spines; the cable of one leaf to one
// spine is cut. Its three others carry 48 / 3 = 16. Another leaf sends its 16 flows to that leaf by
// three spines, so 16 / 3 each, and its 32 others so that all four cables have 12: every cut is at
// its fair share.
TEST(Lexicographic, OneCableGoneCanBeSpread) {
  const Model model(damaged("pgft(2;4,4;1,4;1,1)", FaultKind::kCut, "1", 1));
  const auto found = lexicographic_optimum(model);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->first, 1, 1e-6);
  EXPECT_NEAR(found->worst, 1, 1e-6);
  double most = 0;
  for (const double load : found->most) most = std::max(most, load);
  EXPECT_NEAR(most, 16, 1e-4);
}

// Flows are few on such small trees, and tables keep bundles of them together: 1.15 times is near.
TEST(Lexicographic, EvenIsNearIt) {
  struct Case {
    const char* spec;
    FaultKind kind;
    const char* what;
  };
  for (const auto& [spec, kind, what] :
       std::vector<Case>{{"ft(4,3)", FaultKind::kCut, "2"},
                         {"ft(6,3)", FaultKind::kCut, "3%"},
                         {"ft(6,3)", FaultKind::kRemove, "1@2"},
                         {"pgft(2;6,6;1,6;1,1)", FaultKind::kCut, "3"}}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      SCOPED_TRACE(testing::Message() << spec << ' ' << what << " seed " << seed);
      const Model model(damaged(spec, kind, what, seed));
      const auto found = lexicographic_optimum(model);
      ASSERT_TRUE(found);
      const auto paths = path_source(model, route(find_engine("even"), model));
      const auto takes_part = ports_of_all(model);
      const BottleneckRates rates = bottleneck_rates(model, *paths, takes_part);
      const Evenness even =
          find_evenness(model, rates.loads, takes_part, Splitting::kAnything, paths->addresses());
      double most = 0;  // load over what cuts ask of the link, with even's tables
      for (const CutLoad& cut : even.loads) most = std::max(most, cut.evenness());
      // No tables are below it.
      EXPECT_GE(most, found->first - 1e-6);
      EXPECT_GE(found->worst, found->first - 1e-6);
      EXPECT_GE(found->mean, 1);
      EXPECT_LE(found->mean, found->worst + 1e-9);
      EXPECT_LE(even.mean, 1.15 * found->mean);
    }
  }
}

TEST(Lexicographic, RefusesWhatIsTooLargeOrNoTree) {
  EXPECT_FALSE(lexicographic_optimum(Model(make_fabric("ft(6,3)")), 100));
  EXPECT_FALSE(lexicographic_optimum(Model(make_fabric("torus(3,3)"))));
}

}  // namespace
}  // namespace fatwood
