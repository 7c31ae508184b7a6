// SPDX-License-Identifier: BSD-3-Clause
// The algebraic routings against the papers' examples and against walking the generated fabric.

#include "routing/algebraic/algebraic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "core/error.hpp"
#include "support/input_error.hpp"
#include "topology/generate/tree.hpp"

namespace fatwood {
namespace {

using Paths = std::vector<PathIndex>;

Paths paths(std::string_view name, const TreeShape& shape, std::uint32_t s, std::uint32_t d) {
  return make_algebraic(name, shape).routing->paths(s, d);
}

std::string message(std::string_view name, const TreeShape& shape) {
  return test::input_error_of([&] { make_algebraic(name, shape); });
}

// Nodes passed, from the channels and the fabric's cables alone.
std::vector<std::uint32_t> walk(const Fabric& fabric, const std::vector<Channel>& channels) {
  std::vector<std::uint32_t> nodes{index(fabric.owner(channels.front()))};
  for (const Channel c : channels) {
    EXPECT_EQ(index(fabric.owner(c)), nodes.back());
    EXPECT_TRUE(fabric.connected(c));
    nodes.push_back(index(fabric.neighbour(c)));
  }
  return nodes;
}

std::vector<TreeShape> small_trees() {
  return {xgft({4}, {1}),
          xgft({4, 4, 4}, {1, 4, 2}),
          xgft({3, 2, 4}, {2, 3, 2}),
          xgft({2, 3, 2, 3}, {1, 2, 3, 2}),
          m_port_n_tree(8, 2),
          m_port_n_tree(6, 3),
          m_port_n_tree(4, 3),
          k_ary_n_tree(3, 3),
          pgft({6, 6, 4}, {1, 6, 3}, {1, 1, 2}),
          pgft({3, 4}, {1, 2}, {2, 3})};
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const AlgebraicKind& kind : algebraic_kinds()) {
    const std::string name(kind.name());
    if (!kind.takes_paths()) {
      names.push_back(name);
      continue;
    }
    for (const char* K : {"1", "2", "3", "5", "1000"}) names.push_back(name + ':' + K);
  }
  return names;
}

TEST(Algebraic, ExamplesOfPaper001) {
  const TreeShape shape = xgft({4, 4, 4}, {1, 4, 2});
  EXPECT_EQ(paths("dmodk", shape, 0, 63), Paths({7}));
  EXPECT_EQ(paths("disjoint:4", shape, 0, 63), Paths({7, 1, 3, 5}));
  EXPECT_EQ(paths("shift1:3", shape, 0, 63), Paths({7, 0, 1}));
  const Fabric fabric = make_tree(shape);
  const PathSpace space(shape);
  using Nodes = std::vector<std::uint32_t>;
  EXPECT_EQ(walk(fabric, space.channels(0, 63, 0)), Nodes({0, 64, 80, 96, 92, 79, 63}));
  EXPECT_EQ(walk(fabric, space.channels(0, 63, 1)), Nodes({0, 64, 80, 97, 92, 79, 63}));
  EXPECT_EQ(walk(fabric, space.channels(0, 63, 5)), Nodes({0, 64, 82, 101, 94, 79, 63}));
  EXPECT_EQ(walk(fabric, space.channels(0, 63, 7)), Nodes({0, 64, 83, 103, 95, 79, 63}));
}

TEST(Algebraic, EveryRoutingOnEveryTreeGivesDifferentWholePaths) {
  for (const TreeShape& shape : small_trees()) {
    const Fabric fabric = make_tree(shape);
    for (const std::string& name : all_names()) {
      if (!find_algebraic(name)->defined(shape)) {
        EXPECT_NE(message(name, shape).find("it needs"), std::string::npos);
        continue;
      }
      const AlgebraicPtr routing = make_algebraic(name, shape).routing;
      const PathSpace& space = routing->space();
      for (std::uint32_t s = 0; s < space.nodes(); ++s) {
        for (std::uint32_t d = s % 3; d < space.nodes(); d += 3) {
          if (s == d) continue;
          const unsigned k = shape.common_level(s, d);
          ASSERT_EQ(space.common_level(s, d), k);
          const Paths chosen = routing->paths(s, d);
          ASSERT_EQ(chosen.size(), routing->num_paths(k)) << name << shape.to_string();
          ASSERT_EQ(std::set<PathIndex>(chosen.begin(), chosen.end()).size(), chosen.size());
          const PathIndex t = chosen.back();
          ASSERT_LT(t, space.U(k)) << name << ' ' << shape.to_string();
          const std::vector<std::uint32_t> nodes = walk(fabric, space.channels(s, d, t));
          ASSERT_EQ(nodes.size(), 2 * k + 1);
          ASSERT_EQ(nodes.front(), s);
          ASSERT_EQ(nodes.back(), d);
          if (shape.is_xgft()) {
            const std::uint64_t top = nodes[k] - shape.first_at(k);
            ASSERT_EQ(top % shape.W(k), t);  // path t goes over top switch t
          }
        }
      }
    }
  }
}

TEST(Algebraic, PathsAreAllTheShortestOnes) {
  for (const TreeShape& shape : small_trees()) {
    const PathSpace space(shape);
    const std::uint32_t d = space.nodes() - 1;
    std::set<std::vector<Channel>> seen;
    for (PathIndex t = 0; t < space.U(shape.height()); ++t) {
      const std::vector<Channel> path = space.channels(0, d, t);
      EXPECT_TRUE(seen.insert(path).second);
      for (unsigned l = 0; l < shape.height(); ++l) {
        const std::uint32_t offset = space.offset(shape.height(), t, l);
        EXPECT_EQ(space.up_channel(l, offset), path[l]);
        EXPECT_EQ(space.down_channel(l, d / space.M(l) * space.C(l) + offset),
                  path[path.size() - 1 - l]);
      }
    }
  }
}

TEST(Algebraic, DependsOnHolds) {
  for (const TreeShape& shape : small_trees()) {
    for (const std::string& name : all_names()) {
      if (!find_algebraic(name)->defined(shape)) continue;
      const AlgebraicPtr routing = make_algebraic(name, shape).routing;
      if (routing->depends_on() == DependsOn::kPair) continue;
      const std::uint32_t N = routing->space().nodes();
      const bool by_source = routing->depends_on() == DependsOn::kSource;
      for (std::uint32_t key = 0; key < N; key += 5) {
        std::vector<Paths> at(shape.height() + 1);
        for (std::uint32_t other = 0; other < N; ++other) {
          if (other == key) continue;
          Paths& known = at[shape.common_level(key, other)];
          const Paths found = by_source ? routing->paths(key, other) : routing->paths(other, key);
          if (known.empty()) known = found;
          ASSERT_EQ(known, found) << name;
        }
      }
    }
  }
}

TEST(Algebraic, DModKOfPaper002GivesEachDownChannelOneDestination) {
  // Theorem 2 of [Zahavi10], on a complete RLFT with parallel links.
  const TreeShape shape = pgft({6, 6, 4}, {1, 6, 2}, {1, 1, 3});
  ASSERT_TRUE(shape.is_rlft());
  const AlgebraicPtr routing = make_algebraic("dmodk", shape).routing;
  const Fabric fabric = make_tree(shape);
  std::vector<std::uint32_t> served(fabric.num_channels(), 0xffffffffU);
  const std::uint32_t N = routing->space().nodes();
  for (std::uint32_t s = 0; s < N; ++s) {
    for (std::uint32_t d = 0; d < N; ++d) {
      if (s == d) continue;
      const auto path = routing->space().channels(s, d, routing->paths(s, d)[0]);
      for (std::size_t i = path.size() / 2; i < path.size(); ++i) {
        std::uint32_t& only = served[index(path[i])];
        if (only == 0xffffffffU) only = d;
        ASSERT_EQ(only, d);
      }
    }
  }
}

TEST(Algebraic, OsrmOfPaper000) {
  // m = 24: the printed formula would reach root 14 of 12; ours stays below 12.
  const TreeShape two = m_port_n_tree(24, 2);
  for (std::uint32_t s1 = 0; s1 < 12; ++s1) {
    for (std::uint32_t d1 = 0; d1 < 12; ++d1) {
      EXPECT_EQ(paths("osrm2", two, s1, 12 + d1), Paths({s1 / 3 * 3 + d1 / 4}));
    }
  }
  const TreeShape three = m_port_n_tree(8, 3);
  EXPECT_EQ(paths("osrm3", three, 2, 16 + 7), Paths({2 * 4 + 3}));
  EXPECT_EQ(paths("osrm3", three, 2, 7), Paths({2}));
}

TEST(Algebraic, MlidIsSModKOnFatTrees) {
  for (const auto& [m, n] : {std::pair{8U, 2U}, {6U, 3U}, {4U, 4U}}) {
    const TreeShape shape = m_port_n_tree(m, n);
    const AlgebraicPtr mlid = make_algebraic("mlid", shape).routing;
    const AlgebraicPtr smodk = make_algebraic("smodk", shape).routing;
    const std::uint32_t N = mlid->space().nodes();
    for (std::uint32_t s = 0; s < N; ++s) {
      for (std::uint32_t d = 0; d < N; ++d) {
        if (s == d) continue;
        EXPECT_EQ(mlid->paths(s, d), smodk->paths(s, d));
      }
    }
    // The sources of one sub-tree of height n-1 reach d over different roots.
    std::set<PathIndex> roots;
    for (std::uint32_t s = 0; s < mlid->space().M(n - 1); ++s) {
      roots.insert(mlid->paths(s, N - 1)[0]);
    }
    EXPECT_EQ(roots.size(), mlid->space().U(n));
  }
}

// WSR again, over the fabric's channels and std::vector paths: slow and plain.
TEST(Algebraic, WsrAgreesWithWeighingWholePaths) {
  for (const TreeShape& shape : small_trees()) {
    const PathSpace space(shape);
    const AlgebraicPtr wsr = make_algebraic("wsr", shape).routing;
    std::vector<unsigned> weight(make_tree(shape).num_channels());
    for (std::uint32_t s = 0; s < space.nodes(); ++s) {
      for (std::uint32_t d = 0; d < space.nodes(); ++d) {
        if (s == d) continue;
        std::vector<unsigned> sums;
        for (PathIndex t = 0; t < space.U(space.common_level(s, d)); ++t) {
          const auto path = space.channels(s, d, t);
          sums.push_back(
              std::accumulate(path.begin(), path.end(), 0U,
                              [&](unsigned sum, Channel c) { return sum + weight[index(c)]; }));
        }
        const auto best =
            static_cast<PathIndex>(std::min_element(sums.begin(), sums.end()) - sums.begin());
        ASSERT_EQ(wsr->paths(s, d), Paths({best}));
        for (const Channel c : space.channels(s, d, best)) ++weight[index(c)];
      }
    }
  }
}

TEST(Algebraic, TwoLevelsShiftOneIsDisjointAndAllPathsAreUmulti) {
  const TreeShape two = xgft({8, 16}, {1, 8});
  for (const char* K : {"2", "5", "8"}) {
    for (std::uint32_t d = 1; d < 128; ++d) {
      EXPECT_EQ(paths(std::string("shift1:") + K, two, 0, d),
                paths(std::string("disjoint:") + K, two, 0, d));
    }
  }
  const TreeShape three = m_port_n_tree(8, 3);
  for (const char* name : {"shift1:16", "disjoint:16", "random:16"}) {
    Paths all = paths(name, three, 0, 100);
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all, paths("umulti", three, 0, 100));
  }
}

TEST(Algebraic, RandomIsFixedByItsSeed) {
  const TreeShape shape = m_port_n_tree(16, 3);
  const auto draw = [&](std::uint64_t seed) {
    return make_algebraic("random:4", shape, seed).routing->paths(1, 1000);
  };
  EXPECT_EQ(draw(7), draw(7));
  EXPECT_NE(draw(7), draw(8));
  // Every path equally often, within 5 standard deviations.
  const AlgebraicPtr routing = make_algebraic("random:4", shape, 3).routing;
  std::vector<int> used(64);
  for (std::uint32_t d = 64; d < 1024; ++d) {
    for (const PathIndex t : routing->paths(0, d)) ++used[t];
  }
  for (const int count : used) EXPECT_NEAR(count, 60, 39);
  // And so at each place of the list: who takes paths in order starts with any of them.
  for (const char* name : {"random:32", "random:64"}) {
    const AlgebraicPtr many = make_algebraic(name, shape, 3).routing;
    std::vector<int> first(64);
    std::vector<int> last(64);
    for (std::uint32_t s = 0; s < 4; ++s) {
      for (std::uint32_t d = 64; d < 1024; ++d) {
        const Paths drawn = many->paths(s, d);
        ++first[drawn.front()];
        ++last[drawn.back()];
      }
    }
    for (const int count : first) EXPECT_NEAR(count, 60, 39) << name;
    for (const int count : last) EXPECT_NEAR(count, 60, 39) << name;
  }
}

TEST(Algebraic, BadNames) {
  const TreeShape shape = m_port_n_tree(8, 3);
  EXPECT_NE(message("fastest", shape).find("the routings are: dmodk"), std::string::npos);
  EXPECT_NE(message("disjoint:0", shape).find("K is 0"), std::string::npos);
  EXPECT_NE(message("disjoint", shape).find("expected disjoint:K"), std::string::npos);
  EXPECT_NE(message("dmodk:3", shape).find("expected dmodk"), std::string::npos);
  EXPECT_NE(message("disjoint:x", shape).find("number"), std::string::npos);
  EXPECT_NE(message("osrm2", shape).find("it needs FT(m,2)"), std::string::npos);
  EXPECT_EQ(make_algebraic("disjoint:16", shape).note, "");
  EXPECT_NE(make_algebraic("disjoint:17", shape).note.find("at most 16 paths"), std::string::npos);
}

}  // namespace
}  // namespace fatwood
