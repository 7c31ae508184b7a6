// SPDX-License-Identifier: BSD-3-Clause
// Pairs that an Up*/Down* engine owes a route, against every pair searched and walked.

#include <gtest/gtest.h>

#include "io/fabric/spec.hpp"
#include "oracle/legal.hpp"
#include "routing/engine.hpp"
#include "support/damaged_tree.hpp"
#include "support/fabrics.hpp"
#include "verify/reach/turning_routes.hpp"

namespace fatwood {
namespace {

TEST(LegalButLost, AgreesWithEveryPairSearchedAndWalked) {
  unsigned lost = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    const Fabric fabric = seed % 3 == 0
                              ? test::random_fabric(seed, 9)
                              : test::damaged_tree(make_fabric("ft(4,3)"), seed, 0.15, 0.05).fabric;
    Routing routing;
    routing.tables = test::corrupt(test::shortest_tables(fabric, seed, seed % 5 == 0 ? 1 : 0), seed,
                                   seed % 2 == 0 ? 0.02 : 0.4);
    const Levels levels = find_levels(fabric);
    const PairCounts found = find_legal_but_lost(fabric, routing, levels, 2);
    EXPECT_EQ(found, oracle::legal_but_lost(fabric, routing, levels.level));
    if (found.total() > 0) ++lost;
  }
  EXPECT_GT(lost, 20U);
  // What an engine owes by its promise it gives.
  for (const std::string_view engine : {"updn+", "ftree"}) {
    const Fabric fabric = test::damaged_tree(make_fabric("ft(4,3)"), 5, 0.1).fabric;
    const Routing routing = route(find_engine(engine), Model(fabric));
    const Levels levels = find_levels(fabric);
    EXPECT_EQ(find_legal_but_lost(fabric, routing, levels).total(), 0U) << engine;
    EXPECT_EQ(oracle::legal_but_lost(fabric, routing, levels.level).total(), 0U) << engine;
  }
}

}  // namespace
}  // namespace fatwood
