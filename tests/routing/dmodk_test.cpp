// SPDX-License-Identifier: BSD-3-Clause
// dmodk's tables: the paths of the algebraic routing, and shifts without conflicts on complete
// RLFTs.

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "io/fabric/spec.hpp"
#include "oracle/routes.hpp"
#include "oracle/shifts.hpp"
#include "routing/algebraic/algebraic.hpp"
#include "routing/engine.hpp"
#include "support/damaged_tree.hpp"
#include "topology/generate/tree.hpp"

namespace fatwood {
namespace {

TEST(Dmodk, TakesThePathsOfTheClosedForm) {
  for (const char* spec : {"xgft(3;4,4,4;1,4,2)", "ft(6,3)", "kary(3,3)", "xgft(2;5,7;1,3)"}) {
    const Fabric fabric = make_fabric(spec);
    const Routing routing = route(find_engine("dmodk"), Model(fabric));
    const AlgebraicPtr closed = make_algebraic("dmodk", *fabric.tree()).routing;
    const auto terminals = static_cast<std::uint32_t>(fabric.num_terminals());
    for (std::uint32_t s = 0; s < terminals; ++s) {
      for (std::uint32_t d = 0; d < terminals; ++d) {
        if (fabric.leaf(Terminal{s}) == fabric.leaf(Terminal{d})) continue;
        const auto path = oracle::walk(fabric, routing, fabric.leaf(Terminal{s}),
                                       routing.tables.destination(Terminal{d}));
        std::vector<Channel> whole{fabric.terminal_channel(Terminal{s})};
        whole.insert(whole.end(), path.channels.begin(), path.channels.end());
        ASSERT_EQ(whole, closed->space().channels(s, d, closed->paths(s, d).at(0)))
            << spec << ": " << s << " to " << d;
      }
    }
  }
}

TEST(Dmodk, ShiftsOfCompleteRlftsAreFreeOfConflicts) {
  for (const char* spec :
       {"ft(4,2)", "ft(8,2)", "ft(4,3)", "ft(6,3)", "ft(4,4)", "pgft(2;4,4;1,2;1,2)",
        "pgft(3;6,6,4;1,6,2;1,1,3)", "pgft(3;4,2,4;1,2,2;1,2,2)", "pgft(3;6,3,4;1,3,2;1,2,3)"}) {
    const Fabric fabric = make_fabric(spec);
    ASSERT_TRUE(fabric.tree()->is_rlft()) << spec;
    EXPECT_EQ(oracle::worst_shift(fabric, route(find_engine("dmodk"), Model(fabric))), 1U) << spec;
  }
}

TEST(Dmodk, HostsWithSeveralPortsReachTheirPlanes) {
  const Fabric fabric = make_fabric("pgft(2;3,4;2,2;2,1)");
  const Routing routing = route(find_engine("dmodk"), Model(fabric));
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    for (const Terminal s : ids<Terminal>(fabric.num_terminals())) {
      const bool same_plane = index(s) % 2 == index(t) % 2;  // port q is in plane q mod w1
      const auto path =
          oracle::walk(fabric, routing, fabric.leaf(s), routing.tables.destination(t));
      EXPECT_EQ(path.ok, same_plane);
      if (path.ok) {
        EXPECT_EQ(fabric.peer(path.channels.back()), fabric.terminal_channel(t));
      }
    }
  }
}

TEST(Dmodk, ShuffledTreesAreRecognised) {
  for (const char* spec : {"ft(6,2)", "ft(6,3)", "pgft(2;4,4;1,2;1,2)"}) {
    const Fabric fabric = test::damaged_tree(make_fabric(spec), 5, 0).fabric;
    const Routing routing = route(find_engine("dmodk"), Model(fabric));
    const auto found = oracle::look_at_routes(fabric, routing);
    EXPECT_EQ(found.missing_terminal + found.loops + found.longer, 0U) << spec;
    EXPECT_TRUE(found.deadlock_free) << spec;
  }
}

TEST(Dmodk, AFabricThatIsNoWholeTreeIsRefused) {
  EXPECT_THROW(route(find_engine("dmodk"), Model(make_fabric("ring(5)"))), PromiseError);
  const Fabric damaged = test::damaged_tree(make_fabric("ft(6,3)"), 1, 0.05).fabric;
  EXPECT_THROW(route(find_engine("dmodk"), Model(damaged)), PromiseError);
}

}  // namespace
}  // namespace fatwood
