// SPDX-License-Identifier: BSD-3-Clause
// A complete tree of any numbering carries canonical paths over: they are paths of the fabric.

#include <gtest/gtest.h>

#include "routing/tables/path_source.hpp"
#include "support/shuffle.hpp"
#include "topology/change/faults.hpp"
#include "topology/generate/tree.hpp"
#include "topology/model.hpp"

namespace fatwood {
namespace {

TEST(CompleteTree, ClosedFormsWalkShuffledTrees) {
  for (const TreeShape& shape :
       {xgft({4, 4, 4}, {1, 4, 2}), pgft({6, 6, 3}, {1, 6, 3}, {1, 1, 2})}) {
    const Fabric fabric = test::shuffled(make_tree(shape), 7);
    const Model model(fabric);
    const auto& tree = model.complete_tree();
    ASSERT_TRUE(tree) << shape.to_string();
    EXPECT_EQ(tree->shape, shape);
    const auto paths = path_source(model, make_algebraic("disjoint:2", shape).routing);
    for (const Adapter s : ids<Adapter>(model.adapters().size())) {
      for (const Adapter d : ids<Adapter>(model.adapters().size())) {
        if (s == d) continue;
        const PathList list = paths->paths(s, d);
        for (std::size_t i = 0; i < list.size(); ++i) {
          Node at = model.adapters().node(fabric, s);
          for (const Channel c : list[i]) {
            ASSERT_EQ(fabric.owner(c), at);
            at = fabric.neighbour(c);
          }
          ASSERT_EQ(at, model.adapters().node(fabric, d));
        }
      }
    }
  }
}

TEST(CompleteTree, ADamagedTreeIsNone) {
  const Fabric whole = make_tree(m_port_n_tree(8, 2));
  const FaultRequest order{FaultKind::kCut, "1", {}};
  const Fabric damaged = with_faults(whole, find_faults(whole, std::span(&order, 1), {}));
  EXPECT_TRUE(Model(whole).complete_tree());
  EXPECT_FALSE(Model(damaged).complete_tree());
}

}  // namespace
}  // namespace fatwood
