// SPDX-License-Identifier: BSD-3-Clause
// Nodes and cables give the same fabric in whatever order they are added, and generated fabrics are
// numbered as if they had been read from a file.

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "core/text/natural_order.hpp"
#include "io/fabric/spec.hpp"
#include "support/fabrics.hpp"
#include "support/small_fabrics.hpp"
#include "topology/builder.hpp"
#include "topology/change/faults.hpp"

namespace fatwood {
namespace {

// The same nodes and cables, added in random order, cables from either end.
Fabric built_in_any_order(const Fabric& fabric, std::uint64_t seed) {
  FabricBuilder builder;
  Table<Node, FabricBuilder::Handle> handle(fabric.num_nodes());
  for (const std::uint32_t n :
       Random(seed).permutation(static_cast<std::uint32_t>(fabric.num_nodes()))) {
    const auto node = static_cast<Node>(n);
    handle[node] = copy_node(builder, fabric, node, fabric.guid(node), fabric.ports(node));
  }
  for (const std::uint32_t slot :
       Random(seed, 1).permutation(static_cast<std::uint32_t>(fabric.num_channels()))) {
    const auto c = static_cast<Channel>(slot);
    const Node a = fabric.owner(c);
    if (!fabric.connected(c) || builder.peer(handle[a], fabric.port(c))) continue;
    const Channel d = fabric.peer(c);
    builder.connect(handle[a], fabric.port(c), handle[fabric.owner(d)], fabric.port(d),
                    fabric.rate(c));
  }
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    builder.set_address(handle[fabric.adapter_node(t)], fabric.port(fabric.terminal_channel(t)),
                        fabric.address(t));
  }
  return builder.build();
}

TEST(Numbering, OfGeneratedFabricsIsThatOfFiles) {
  for (const std::string spec : {"ft(4,2)",
                                 "ft(6,3)",
                                 "kary(3,3)",
                                 "xgft(3;4,4,8;1,4,4)",
                                 "xgft(2;4,3;2,2)",
                                 "xgft(1;5;3)",
                                 "pgft(3;6,6,3;1,6,3;1,1,2)",
                                 "pgft(3;2,3,2;2,2,2;2,1,2)",
                                 "switch648",
                                 "switch648+racks",
                                 "juropa",
                                 "ranger",
                                 "ring(7)",
                                 "ring(5,terminals=13)",
                                 "torus(3,4)",
                                 "torus(3,3,3,wrap=2)",
                                 "hypercube(4)",
                                 "hypercube(3,terminals=3)",
                                 "random(16,32,seed=3001)",
                                 "random(9,20,terminals=30)"}) {
    SCOPED_TRACE(spec);
    const Fabric fabric = make_fabric(spec);
    EXPECT_TRUE(built_in_any_order(fabric, 1) == fabric);
  }
}

TEST(Numbering, DoesNotHangOnTheOrderOfTelling) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U}) {
    SCOPED_TRACE(seed);
    const Fabric fabric = test::random_fabric(seed, 12);
    EXPECT_TRUE(built_in_any_order(fabric, seed) == fabric);
    EXPECT_TRUE(built_in_any_order(fabric, seed + 100) == fabric);
  }
}

// A host that loses its first cable moves to the place of its second, cut here or found so.
TEST(Numbering, OfABrokenFabricIsThatOfAFile) {
  const Fabric whole = make_fabric("xgft(2;4,3;2,2)");
  const std::vector<FaultRequest> orders{{FaultKind::kCut, "H1[1]", {}},
                                         {FaultKind::kCut, "H5", {}},
                                         {FaultKind::kRemove, "S1_3", {}}};
  const Fabric broken = with_faults(whole, find_faults(whole, orders, {}));
  EXPECT_EQ(broken.id(broken.adapter_node(Terminal{0})), "H0");
  EXPECT_NE(broken.id(Node{1}), "H1");
  EXPECT_EQ(broken.id(static_cast<Node>(broken.num_adapters() - 1)), "H5");
  EXPECT_TRUE(built_in_any_order(broken, 1) == broken);
}

TEST(Numbering, IsByNodeGuidAndPlace) {
  FabricBuilder builder;
  const auto late = builder.add_switch("a", 8, 0x30);
  const auto early = builder.add_switch("b", 8, 0x20);
  const auto first = builder.add_adapter("x", 1, 0x3);
  const auto second = builder.add_adapter("y", 2, 0x2);
  const auto third = builder.add_adapter("z", 2, 0x1);
  const auto separate = builder.add_adapter("w", 1, 0x9);
  builder.add_adapter("v", 1, 0x8);
  builder.connect(first, Port{1}, early, Port{7});
  builder.connect(second, Port{2}, early, Port{8});  // its port 1 leads to no switch
  builder.connect(second, Port{1}, separate, Port{1});
  builder.connect(third, Port{1}, late, Port{1});
  builder.connect(third, Port{2}, early, Port{1});  // not its first cable
  builder.set_address(first, Port{1}, {.guid = 0xff, .lid = Lid{9}});
  builder.set_address(second, Port{2}, {.guid = 0xee, .lid = Lid{1}});
  const Fabric fabric = builder.build();
  std::string order;
  for (const Node node : ids<Node>(fabric.num_nodes())) order += fabric.id(node);
  EXPECT_EQ(order, "xyzvwba");
}

TEST(NaturalOrder, CountsDigitsAsNumbers) {
  const std::vector<std::string_view> sorted{"",
                                             "a",
                                             "a01",
                                             "a1",
                                             "a2",
                                             "a10",
                                             "a10b",
                                             "a10b2",
                                             "a10b10",
                                             "a99999999999999999999",
                                             "a100000000000000000000",
                                             "ab",
                                             "b1"};
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t j = 0; j < sorted.size(); ++j) {
      EXPECT_EQ(natural_less(sorted[i], sorted[j]), i < j) << sorted[i] << " " << sorted[j];
    }
  }
}

}  // namespace
}  // namespace fatwood
