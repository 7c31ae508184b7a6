// SPDX-License-Identifier: BSD-3-Clause
// Tables made from algebraic routings: walking them with the chosen addresses gives the same paths.

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "routing/algebraic/tables.hpp"
#include "routing/resolve.hpp"
#include "support/shuffle.hpp"
#include "topology/generate/tree.hpp"

namespace fatwood {
namespace {

// Walks by hand, over the fabric and single entries.
std::vector<Channel> walk(const Fabric& fabric, const ForwardingTables& tables, Terminal s,
                          Terminal d, std::uint32_t offset) {
  std::vector<Channel> path{fabric.terminal_channel(s)};
  while (fabric.is_switch(fabric.neighbour(path.back())) && path.size() < 20) {
    const Node at = fabric.neighbour(path.back());
    const Port port = tables.at(tables.destination(d, offset), fabric.as_switch(at));
    if (port == kNoRoute) return {};
    path.push_back(fabric.channel(at, port));
  }
  return path;
}

TEST(AlgebraicTables, WalkingThemGivesTheSamePaths) {
  for (const TreeShape& shape :
       {m_port_n_tree(8, 2), m_port_n_tree(6, 3), m_port_n_tree(4, 4), xgft({4, 4, 4}, {1, 4, 2}),
        pgft({6, 6, 4}, {1, 6, 3}, {1, 1, 2})}) {
    const Fabric fabric = make_tree(shape);
    for (const char* name : {"dmodk", "smodk", "mlid", "osrm2", "osrm3", "shift1:3", "disjoint:3",
                             "disjoint:5", "random", "random:3", "umulti", "wsr"}) {
      if (!find_algebraic(name)->defined(shape)) continue;
      const std::shared_ptr<const AlgebraicRouting> routing = make_algebraic(name, shape).routing;
      const AlgebraicTables made = make_tables(Model(fabric), routing);
      const ForwardingTables& tables = made.routing.tables;
      const std::size_t n = fabric.num_terminals();
      for (std::uint32_t s = 0; s < n; ++s) {
        for (std::uint32_t d = 0; d < n; ++d) {
          if (s == d) continue;
          const std::vector<PathIndex> paths = routing->paths(s, d);
          const std::vector<std::uint8_t> offsets = made.choice.offsets(Terminal{s}, Terminal{d});
          ASSERT_EQ(offsets.size(), paths.size());
          for (std::size_t j = 0; j < paths.size(); ++j) {
            ASSERT_EQ(walk(fabric, tables, Terminal{s}, Terminal{d}, offsets[j]),
                      routing->space().channels(s, d, paths[j]))
                << name << ' ' << shape.to_string() << ' ' << s << ' ' << d;
          }
          // Addresses that nobody asked for lead there too.
          for (std::uint32_t offset = 0; offset < 1U << tables.lmc(); ++offset) {
            const auto path = walk(fabric, tables, Terminal{s}, Terminal{d}, offset);
            ASSERT_FALSE(path.empty());
            ASSERT_EQ(index(fabric.neighbour(path.back())), d);
          }
        }
      }
    }
  }
}

// A tree that was recognised has the same paths at its own numbers.
TEST(AlgebraicTables, OfARecognisedTreeLeadAsThePathsDo) {
  for (const TreeShape& shape : {m_port_n_tree(6, 3), pgft({6, 6, 4}, {1, 6, 3}, {1, 1, 2})}) {
    const Model model(test::shuffled(make_tree(shape), 5));
    ASSERT_FALSE(model.fabric().tree());
    ASSERT_TRUE(model.complete_tree());
    for (const char* name : {"dmodk", "smodk", "shift1:3", "disjoint:3", "umulti"}) {
      SCOPED_TRACE(name);
      const ResolvedRouting resolved = resolve_routing(model, name);
      ASSERT_TRUE(resolved.algebraic);
      const AlgebraicTables made = make_tables(model, resolved.algebraic);
      const auto paths = path_source(model, resolved.algebraic);
      for (const Adapter s : ids<Adapter>(model.adapters().size())) {
        for (const Adapter d : ids<Adapter>(model.adapters().size())) {
          if (s == d) continue;
          const Terminal from = model.adapters().terminals(s).front();
          const Terminal to = model.adapters().terminals(d).front();
          const PathList list = paths->paths(s, d);
          const std::vector<std::uint8_t> offsets = made.choice.offsets(from, to);
          ASSERT_EQ(offsets.size(), list.size());
          for (std::size_t j = 0; j < offsets.size(); ++j) {
            const auto path = list[j];
            ASSERT_EQ(walk(model.fabric(), made.routing.tables, from, to, offsets[j]),
                      std::vector<Channel>(path.begin(), path.end()));
          }
        }
      }
    }
  }
}

TEST(AlgebraicTables, TakeFewAddresses) {
  const auto addresses = [](const char* name, const TreeShape& shape) {
    const Fabric fabric = make_tree(shape);
    return make_tables(Model(fabric), make_algebraic(name, shape).routing).addresses;
  };
  EXPECT_EQ(addresses("dmodk", m_port_n_tree(8, 3)), 1U);
  EXPECT_EQ(addresses("disjoint:5", m_port_n_tree(8, 3)), 5U);
  EXPECT_EQ(addresses("shift1:5", m_port_n_tree(8, 3)), 5U);
  EXPECT_EQ(addresses("osrm2", m_port_n_tree(8, 2)), 2U);
  EXPECT_EQ(addresses("osrm3", m_port_n_tree(8, 3)), 4U);
  EXPECT_EQ(addresses("smodk", m_port_n_tree(8, 3)), 4U);  // of 16 roots
  EXPECT_EQ(addresses("umulti", m_port_n_tree(8, 3)), 16U);
}

TEST(AlgebraicTables, WhatCannotBeHeldSaysSo) {
  const TreeShape shape = xgft({2, 12, 2}, {1, 12, 12});
  const Fabric fabric = make_tree(shape);
  try {
    make_tables(Model(fabric), make_algebraic("umulti", shape).routing);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("more than 128 addresses"), std::string::npos);
  }
  const TreeShape two_ports = xgft({2, 3}, {2, 2});
  EXPECT_THROW(make_tables(Model(make_tree(two_ports)), make_algebraic("dmodk", two_ports).routing),
               InputError);
}

}  // namespace
}  // namespace fatwood
