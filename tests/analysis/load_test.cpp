// SPDX-License-Identifier: BSD-3-Clause
// Loads and OLOAD: by hand, against a slow count over std::map, and the theorem against the LP.

#include <gtest/gtest.h>

#include <map>

#include "analysis/bounds/cuts.hpp"
#include "analysis/bounds/oload.hpp"
#include "analysis/load/link_load.hpp"
#include "core/error.hpp"
#include "io/fabric/spec.hpp"
#include "topology/builder.hpp"
#include "topology/generate/tree.hpp"

namespace fatwood {
namespace {

std::unique_ptr<PathSource> source(std::string_view name, const TreeShape& shape) {
  return path_source(make_algebraic(name, shape).routing);
}
Traffic traffic(std::string_view text, std::size_t n, std::uint64_t seed = 1) {
  return make_traffic(text, AdapterNames(n), seed).stage(0);
}
Fraction mload(std::string_view name, const Fabric& fabric, const Traffic& t) {
  return max_load(link_loads(Model(fabric), *source(name, *fabric.tree()), t));
}

// The same fabric without the knowledge that it is a tree: OLOAD goes by the LP.
Fabric forget_tree(const Fabric& fabric) {
  FabricBuilder builder;
  for (const Node n : ids<Node>(fabric.num_nodes())) {
    if (fabric.is_switch(n)) {
      builder.add_switch(fabric.id(n), fabric.ports(n));
    } else {
      builder.add_adapter(fabric.id(n), fabric.ports(n));
    }
  }
  using Handle = FabricBuilder::Handle;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c) || fabric.peer(c) < c) continue;
    const Channel other = fabric.peer(c);
    builder.connect(static_cast<Handle>(index(fabric.owner(c))), fabric.port(c),
                    static_cast<Handle>(index(fabric.owner(other))), fabric.port(other));
  }
  return builder.build();
}

TEST(LinkLoad, AgreesWithCountingFractions) {
  for (const TreeShape& shape : {xgft({4, 4, 4}, {1, 4, 2}), xgft({2, 3, 2}, {1, 2, 3}),
                                 pgft({6, 6, 4}, {1, 6, 3}, {1, 1, 2})}) {
    const Fabric fabric = make_tree(shape);
    for (const char* name : {"dmodk", "disjoint:3", "random:2", "umulti", "wsr"}) {
      const auto paths = source(name, shape);
      const Traffic t = traffic("uniform:0.2", fabric.num_terminals(), 5);
      std::map<Channel, Fraction> slow;
      for (const Flow& flow : t.flows) {
        const PathList list = paths->paths(flow.source, flow.destination);
        for (std::size_t i = 0; i < list.size(); ++i) {
          for (const Channel c : list[i]) {
            slow[c] += t.amount(flow) / Fraction(static_cast<std::int64_t>(list.size()));
          }
        }
      }
      const LinkLoads loads = link_loads(Model(fabric), *paths, t, 2);
      Fraction most = 0;
      for (const Channel c : ids<Channel>(fabric.num_channels())) {
        EXPECT_EQ(loads.load(c), slow[c]);
        most = std::max(most, slow[c]);
      }
      EXPECT_EQ(max_load(loads), most);
      EXPECT_EQ(most_loaded(loads, 3)[0].load, most);
      Fraction by_level = 0;
      for (const LevelLoad& level : loads_by_level(fabric, loads)) {
        by_level = std::max(by_level, level.max);
      }
      EXPECT_EQ(by_level, most);
    }
  }
}

TEST(LinkLoad, HotSpotAndShiftsByHand) {
  const Fabric fabric = make_tree(m_port_n_tree(8, 3));
  EXPECT_EQ(mload("dmodk", fabric, traffic("hotspot:7", 128)), Fraction(127));
  const Fabric rlft = make_tree(pgft({6, 6, 4}, {1, 6, 2}, {1, 1, 3}));
  const std::size_t n = rlft.num_terminals();
  for (std::size_t by = 1; by < n; ++by) {
    ASSERT_EQ(mload("dmodk", rlft, shift_traffic(n, by)), Fraction(1)) << by;
  }
}

TEST(Oload, UmultiAttainsTheTheorem) {
  for (const TreeShape& shape :
       {xgft({4, 4, 4}, {1, 4, 2}), m_port_n_tree(6, 3), xgft({3, 2, 4}, {1, 1, 2}),
        pgft({6, 6, 4}, {1, 6, 3}, {1, 1, 2}), pgft({3, 4}, {1, 2}, {1, 3})}) {
    const Fabric fabric = make_tree(shape);
    const std::size_t n = fabric.num_terminals();
    for (const char* text : {"permutation", "uniform:0.3", "cluster:3", "hotspot:2", "shift:5"}) {
      const Traffic t = traffic(text, n, 11);
      EXPECT_EQ(mload("umulti", fabric, t), tree_oload(shape, t)) << shape.to_string() << text;
    }
  }
}

TEST(Oload, LinearProgramAgreesWithTheTheorem) {
  for (const TreeShape& shape : {xgft({3, 4}, {1, 2}), xgft({2, 2, 3}, {1, 2, 1}),
                                 pgft({3, 4}, {1, 2}, {1, 2}), m_port_n_tree(4, 3)}) {
    const Fabric tree = make_tree(shape);
    const Fabric other = forget_tree(tree);
    for (const char* text : {"permutation", "uniform:0.3", "cluster:4", "shift:3"}) {
      const Traffic t = traffic(text, tree.num_terminals(), 3);
      const Model model(other);
      const std::optional<LpOload> by_lp = lp_oload(model, t);
      ASSERT_TRUE(by_lp);
      const Fraction exact = tree_oload(shape, t);
      EXPECT_NEAR(by_lp->value, exact.value(), 1e-8) << shape.to_string() << ' ' << text;
      EXPECT_LE(cut_bound(model, t), exact);
      // Recognised, it is the theorem's.
      EXPECT_EQ(oload(model, t).kind, OloadKind::kTheorem);
      EXPECT_EQ(oload(model, t).value, exact);
    }
  }
}

TEST(Oload, BeyondTheLimitABoundIsCalledABound) {
  const Model small(make_fabric("torus(4,4)"));
  EXPECT_EQ(oload(small, traffic("permutation", small.adapters().size())).kind,
            OloadKind::kLinearProgram);
  const Model big(make_fabric("torus(10,10)"));
  EXPECT_EQ(oload(big, traffic("permutation", big.adapters().size())).kind, OloadKind::kLowerBound);
}

// What [Yuan07] found on FT(32,2), with fewer instances.
TEST(Flow, UniformIsNearOneAndClustersOfTwoPartTheRoutings) {
  const TreeShape shape = m_port_n_tree(32, 2);
  const Fabric fabric = make_tree(shape);
  const std::size_t n = fabric.num_terminals();
  const auto mean_perf = [&](std::string_view name, std::string_view text) {
    double sum = 0;
    const auto paths = source(name, shape);
    constexpr int kInstances = 10;
    for (std::uint64_t seed = 1; seed <= kInstances; ++seed) {
      const Traffic t = traffic(text, n, seed);
      const Fraction perf = max_load(link_loads(Model(fabric), *paths, t)) / tree_oload(shape, t);
      if (name == "osrm2") {
        EXPECT_LE(perf, Fraction(4));
      }
      sum += perf.value();
    }
    return sum / kInstances;
  };
  for (const char* name : {"mlid", "wsr", "osrm2"}) {
    EXPECT_LT(mean_perf(name, "uniform:0.5"), 1.3) << name;
  }
  EXPECT_GT(mean_perf("mlid", "cluster:2"), 4);
  EXPECT_GT(mean_perf("wsr", "cluster:2"), 4);
  EXPECT_LE(mean_perf("osrm2", "cluster:2"), 4);
}

}  // namespace
}  // namespace fatwood
