// SPDX-License-Identifier: BSD-3-Clause
// Numbering and port rules of complete trees, against the examples of [Mahapatra12] and [Zahavi10].

#include "topology/generate/tree.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/input_error.hpp"

namespace fatwood {
namespace {

Node up(const Fabric& fabric, Node node, std::uint32_t q) {
  return fabric.neighbour(fabric.channel(node, static_cast<Port>(q + 1)));
}

TEST(Tree, PathsOfPaper001) {
  const Fabric fabric = make_tree(xgft({4, 4, 4}, {1, 4, 2}));
  ASSERT_EQ(fabric.num_terminals(), 64U);
  // Path 0 of (0,63) is 0-64-80-96-92-79-63, path 7 is 0-64-83-103-95-79-63.
  Node node = up(fabric, Node{0}, 0);
  EXPECT_EQ(node, Node{64});
  EXPECT_EQ(up(fabric, node, 0), Node{80});
  EXPECT_EQ(up(fabric, up(fabric, node, 0), 0), Node{96});
  EXPECT_EQ(up(fabric, node, 3), Node{83});
  EXPECT_EQ(up(fabric, up(fabric, node, 3), 1), Node{103});
  node = up(fabric, Node{63}, 0);
  EXPECT_EQ(node, Node{79});
  EXPECT_EQ(up(fabric, up(fabric, node, 0), 0), Node{96});
  EXPECT_EQ(up(fabric, node, 0), Node{92});
  EXPECT_EQ(up(fabric, node, 3), Node{95});
  EXPECT_EQ(up(fabric, up(fabric, node, 3), 1), Node{103});
}

TEST(Tree, PortRuleOfPaper002) {
  const TreeShape shape = pgft({18, 18, 6}, {1, 18, 3}, {1, 1, 6});
  EXPECT_TRUE(shape.is_rlft());
  const Fabric fabric = make_tree(shape);
  EXPECT_EQ(fabric.num_terminals(), 1944U);
  for (unsigned level = 0; level < 3; ++level) {
    const std::uint32_t m = shape.m[level];
    const std::uint32_t w = shape.w[level];
    for (std::uint64_t i = 0; i < shape.nodes_at(level); ++i) {
      const auto a = static_cast<Node>(shape.first_at(level) + i);
      for (std::uint32_t q = 0; q < shape.up_ports(level); ++q) {
        const Channel far = fabric.peer(fabric.channel(a, static_cast<Port>(q + 1)));
        const std::uint32_t r = index(fabric.port(far)) - shape.up_ports(level + 1) - 1;
        const std::uint64_t above = index(fabric.owner(far)) - shape.first_at(level + 1);
        EXPECT_EQ(above % shape.W(level + 1) % w, q % w);               // b = q mod w
        EXPECT_EQ(i / shape.W(level) % m, r % m);                       // a = r mod m
        EXPECT_EQ(q / w, r / m);                                        // the same copy
        EXPECT_EQ(above % shape.W(level + 1) / w, i % shape.W(level));  // other digits agree
        EXPECT_EQ(above / shape.W(level + 1), i / shape.W(level) / m);
      }
    }
  }
}

TEST(Tree, CountsOfPaper000) {
  for (const auto& [m, n] : {std::pair{4U, 2U}, {8U, 3U}, {24U, 3U}}) {
    const Fabric fabric = make_tree(m_port_n_tree(m, n));
    std::size_t half_to_n = 1;
    for (unsigned i = 0; i < n; ++i) half_to_n *= m / 2;
    EXPECT_EQ(fabric.num_terminals(), 2 * half_to_n);
    EXPECT_EQ(fabric.num_switches(), (2 * n - 1) * half_to_n / (m / 2));
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      EXPECT_EQ(fabric.ports(fabric.node(s)), m);
    }
  }
}

TEST(Tree, WrongDigitIsNamed) {
  const auto message = [](const auto& make) { return test::input_error_of(make); };
  EXPECT_NE(message([] { xgft({4, 0}, {1, 4}); }).find("m2 is 0"), std::string::npos);
  EXPECT_NE(message([] { xgft({4, 4}, {1}); }).find("w1..w2"), std::string::npos);
  EXPECT_NE(message([] { xgft({200, 4}, {1, 100}); }).find("level 1"), std::string::npos);
  EXPECT_NE(message([] { m_port_n_tree(5, 2); }).find("even"), std::string::npos);
  EXPECT_NE(message([] { xgft({253, 253, 253, 253}, {1, 1, 1, 1}); }).find("2e9"),
            std::string::npos);
}

}  // namespace
}  // namespace fatwood
