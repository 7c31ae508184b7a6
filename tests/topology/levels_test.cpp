// SPDX-License-Identifier: BSD-3-Clause
// Ranks against the truth: names of generated and of real switches, which the method never reads.

#include "topology/levels/levels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/fabric/spec.hpp"
#include "support/damaged_tree.hpp"
#include "support/real_fabrics.hpp"
#include "support/sketch.hpp"
#include "topology/generate/tree.hpp"
#include "topology/graph/port_graph.hpp"

namespace fatwood {
namespace {

using test::damaged_tree;
using test::level_in_name;

std::size_t wrong_levels(const Fabric& fabric, const Levels& levels) {
  std::size_t wrong = 0;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    if (levels.level[s] != level_in_name(fabric.id(fabric.node(s)))) ++wrong;
  }
  return wrong;
}

TEST(Levels, WholeTrees) {
  for (const char* spec :
       {"ft(4,2)", "ft(8,3)", "ft(4,5)", "kary(2,3)", "kary(4,3)", "xgft(3;4,4,8;1,4,4)",
        "xgft(2;18,36;1,18)", "pgft(3;18,18,6;1,18,3;1,1,6)", "xgft(3;2,3,4;1,3,1)",
        "xgft(2;1,8;1,16)", "xgft(1;24;1)", "xgft(3;4,4,2;1,1,4)"}) {
    const Fabric fabric = make_fabric(spec);
    const Levels levels = find_levels(fabric);
    EXPECT_EQ(wrong_levels(fabric, levels), 0U) << spec;
    EXPECT_TRUE(levels.is_tree()) << spec << ": " << levels.why_not_tree;
    EXPECT_TRUE(levels.horizontal.empty()) << spec;
    EXPECT_TRUE(levels.skipping.empty()) << spec;
    EXPECT_EQ(levels.roots.size(), fabric.tree()->nodes_at(fabric.tree()->height())) << spec;
  }
}

TEST(Levels, ShuffledAndDamagedTrees) {
  for (const char* spec : {"ft(8,3)", "ft(12,3)", "xgft(3;4,4,8;1,4,4)", "xgft(2;18,36;1,18)",
                           "pgft(3;18,18,6;1,18,3;1,1,6)", "ft(8,4)", "xgft(3;8,8,8;1,8,1)"}) {
    const Fabric whole = make_fabric(spec);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      for (const double share : {0.05, 0.1}) {
        const auto damaged = damaged_tree(whole, seed, share, share);
        const Levels levels = find_levels(damaged.fabric);
        EXPECT_EQ(wrong_levels(damaged.fabric, levels), 0U) << spec << " seed " << seed;
        EXPECT_TRUE(levels.is_tree()) << spec << " seed " << seed << " " << levels.why_not_tree;
      }
    }
  }
}

// The multi-core trees of [Bogdanski12] name their leaves "L<i>", boxes "B<box>S<level>_<index>".
TEST(Levels, RacksAndMultiCoreTrees) {
  for (const auto& [spec, pairs] : std::vector<std::pair<const char*, std::size_t>>{
           {"switch648+racks", 27}, {"switch3456+racks", 144}, {"juropa", 216}, {"ranger", 0}}) {
    const Fabric fabric = make_fabric(spec);
    const Levels levels = find_levels(fabric);
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      const std::string_view id = fabric.id(fabric.node(s));
      const unsigned truth = id[0] == 'L' ? 1 : 1 + level_in_name(id.substr(id.find('S')));
      EXPECT_EQ(levels.level[s], truth) << spec << " " << id;
    }
    EXPECT_TRUE(levels.is_tree()) << spec << ": " << levels.why_not_tree;
    EXPECT_TRUE(levels.skipping.empty()) << spec;
    EXPECT_EQ(levels.horizontal.size(), pairs * 9) << spec;
  }
}

// Levels in order of the ids, e.g. "L1=1 L2=1 S1=2".
std::string ranks(const Fabric& fabric) {
  const Levels levels = find_levels(fabric);
  std::map<std::string, unsigned> sorted;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    sorted[std::string(fabric.id(fabric.node(s)))] = levels.level[s];
  }
  std::string text = levels.is_tree() ? "" : "no tree: ";
  for (const auto& [id, level] : sorted) text += id + "=" + std::to_string(level) + " ";
  return text;
}

TEST(Levels, SmallClusters) {
  // One switch, with and without hosts.
  EXPECT_EQ(ranks(test::sketch("A:20")), "A=1 ");
  EXPECT_EQ(ranks(test::sketch("A")), "A=1 ");
  // Two switches back to back; the same with a lighter second one.
  EXPECT_EQ(ranks(test::sketch("A:18 B:18 A-B*18")), "A=1 B=1 ");
  EXPECT_EQ(ranks(test::sketch("A:24 B:3 A-B*12")), "A=1 B=1 ");
  // A star and a chain: the middle switch is the root, full of hosts though it is.
  EXPECT_EQ(ranks(test::sketch("A:33 B:33 C:33 M:27 A-M*3 B-M*3 C-M*3")), "A=1 B=1 C=1 M=2 ");
  EXPECT_EQ(ranks(test::sketch("A:30 B:24 C:30 A-B*6 B-C*6")), "A=1 B=2 C=1 ");
  // The same with a cable between two leaves. Where all are alike, none is above the others.
  EXPECT_EQ(ranks(test::sketch("A:3 B:3 C:3 M:3 A-M*4 B-M*4 C-M*4 A-B")), "A=1 B=1 C=1 M=2 ");
  EXPECT_EQ(ranks(test::sketch("A:1 B:1 C:1 A-B B-C A-C")), "no tree: A=1 B=1 C=1 ");
  // Hosts on every spine, few and many.
  EXPECT_EQ(ranks(test::sketch("A:24 B:24 C:24 S:12 T:12 A-S*6 A-T*6 B-S*6 B-T*6 C-S*6 C-T*6")),
            "A=1 B=1 C=1 S=2 T=2 ");
  EXPECT_EQ(ranks(test::sketch("A:30 B:30 C:30 S:27 T:27 A-S*3 A-T*3 B-S*3 B-T*3 C-S*3 C-T*3")),
            "A=1 B=1 C=1 S=2 T=2 ");
  // A leaf without hosts is a leaf.
  EXPECT_EQ(ranks(test::sketch("A:24 B:24 C S T A-S*6 A-T*6 B-S*6 B-T*6 C-S*6 C-T*6")),
            "A=1 B=1 C=1 S=2 T=2 ");
  // A storage leaf with double up-links, and one on a single spine.
  EXPECT_EQ(
      ranks(test::sketch("A:24 B:24 C:8 D:4 S T A-S*6 A-T*6 B-S*6 B-T*6 C-S*12 C-T*12 D-S*2")),
      "A=1 B=1 C=1 D=1 S=2 T=2 ");
}

TEST(Levels, DisconnectedPlanesAreRankedEachByItself) {
  EXPECT_EQ(ranks(test::sketch("A:4 B:4 S A-S*2 B-S*2  C:4 D:4 T C-T D-T  E:9")),
            "A=1 B=1 C=1 D=1 E=1 S=2 T=2 ");
}

// Two pods of three leaves and two spines under two cores, by default with four hosts per leaf.
constexpr const char* kTwoPods =
    "A-P*2 A-Q*2 B-P*2 B-Q*2 C-P*2 C-Q*2  D-R*2 D-S*2 E-R*2 E-S*2 F-R*2 F-S*2 "
    "P-X*3 P-Y*3 Q-X*3 Q-Y*3 R-X*3 R-Y*3 S-X*3 S-Y*3 ";
constexpr const char* kTwoPodsRanks = "A=1 B=1 C=1 D=1 E=1 F=1 P=2 Q=2 R=2 S=2 X=3 Y=3 ";

TEST(Levels, WhatHangsOffTheSide) {
  const std::string pods = kTwoPods;
  const std::string hosts = "A:4 B:4 C:4 D:4 E:4 F:4 ";
  const std::string truth = kTwoPodsRanks;
  EXPECT_EQ(ranks(test::sketch(pods + hosts)), truth);
  // Hosts on a spine, on a core, on all cores.
  EXPECT_EQ(ranks(test::sketch(pods + hosts + "P:2")), truth);
  EXPECT_EQ(ranks(test::sketch(pods + "A:12 B:12 C:12 D:12 E:12 F:12 X:1 ")), truth);
  EXPECT_EQ(ranks(test::sketch(pods + "A:12 B:12 C:12 D:12 E:12 F:12 X:1 Y:1 ")), truth);
  // A storage leaf cabled straight to the cores.
  EXPECT_EQ(ranks(test::sketch(pods + hosts + "G:8 G-X G-Y ")),
            "A=1 B=1 C=1 D=1 E=1 F=1 G=1 P=2 Q=2 R=2 S=2 X=3 Y=3 ");
  // Leaves without hosts in one pod, then a whole pod without hosts.
  EXPECT_EQ(ranks(test::sketch(pods + "A:4 B:4 D:4 E:4 F:4 ")), truth);
  EXPECT_EQ(ranks(test::sketch(pods + "A:4 D:4 ")), truth);
  EXPECT_EQ(ranks(test::sketch(pods + "A:4 B:4 C:4 ")), truth);
  // Management: a spine of its own below the cores, with a leaf of two hosts and one of none.
  EXPECT_EQ(ranks(test::sketch(pods + "A:12 B:12 C:12 D:12 E:12 F:12 M-X*2 M-Y*2 N-X*2 N-Y*2 "
                                      "U:2 U-M*6 U-N*6 V-M*6 V-N*6 ")),
            "A=1 B=1 C=1 D=1 E=1 F=1 M=2 N=2 P=2 Q=2 R=2 S=2 U=1 V=1 X=3 Y=3 ");
}

TEST(Levels, TreesJoinedSidewaysAndGroupsAreNoTree) {
  // Two trees whose spines are joined.
  EXPECT_EQ(
      ranks(test::sketch("A:9 B:9 C:9 S A-S*3 B-S*3 C-S*3  D:9 E:9 F:9 T D-T*3 E-T*3 F-T*3 S-T*4")),
      "no tree: A=1 B=1 C=1 D=1 E=1 F=1 S=2 T=2 ");
  // Four groups of leaves and spines, spines all to all: a dragonfly+.
  std::string groups;
  for (const char* g : {"a", "b", "c", "d"}) {
    const std::string n = g;
    groups += "L1" + n + ":8 L2" + n + ":8 L1" + n + "-S" + n + "*4 L2" + n + "-S" + n + "*4 ";
  }
  groups += "Sa-Sb*2 Sa-Sc*2 Sa-Sd*2 Sb-Sc*2 Sb-Sd*2 Sc-Sd*2";
  EXPECT_EQ(ranks(test::sketch(groups)).substr(0, 8), "no tree:");
  // A full mesh of leaves.
  EXPECT_EQ(ranks(test::sketch("A:9 B:9 C:9 D:9 A-B*2 A-C*2 A-D*2 B-C*2 B-D*2 C-D*2")),
            "no tree: A=1 B=1 C=1 D=1 ");
}

TEST(Levels, HintsWin) {
  const Fabric fabric = test::sketch("A:4 B:4 S A-S B-S");
  LevelHints hints;
  hints.roots = {test::switch_named(fabric, "A")};
  const Levels levels = find_levels(fabric, hints);
  EXPECT_EQ(levels.level[test::switch_named(fabric, "A")], 3);
  EXPECT_EQ(levels.level[test::switch_named(fabric, "S")], 2);
  EXPECT_EQ(levels.level[test::switch_named(fabric, "B")], 1);
  EXPECT_EQ(levels.roots, hints.roots);
}

TEST(Levels, NoTrees) {
  for (const char* spec :
       {"ring(32)", "ring(5)", "ring(3)", "torus(4,4)", "torus(4,4,4)", "torus(5,5,terminals=200)",
        "hypercube(3)", "hypercube(5)", "random(16,32,seed=3001)"}) {
    const Fabric fabric = make_fabric(spec);
    const Levels levels = find_levels(fabric);
    EXPECT_FALSE(levels.is_tree()) << spec;
    EXPECT_THROW(require_tree(levels, "ftree"), PromiseError) << spec;
  }
}

// Counts by (level, first letters of the name).
std::map<std::pair<unsigned, std::string>, unsigned> by_name(const Fabric& fabric,
                                                             const Levels& levels) {
  std::map<std::pair<unsigned, std::string>, unsigned> counts;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const std::string_view name = display_name(fabric, fabric.node(s));
    ++counts[{levels.level[s], std::string(name.substr(0, name.find_first_of("0123456789")))}];
  }
  return counts;
}

// Selene and the formula like it: the real one has no empty last pod, but the same levels.
TEST(Levels, Selene) {
  using Counts = std::map<std::pair<unsigned, std::string>, unsigned>;
  struct Truth {
    const char* name;
    Counts counts;
    unsigned hosts;
  };
  const Truth truths[] = {{"like-selene",
                           {{{1, "LEAF"}, 200},
                            {{1, "MLEAF-"}, 4},
                            {{2, "SPINE"}, 320},
                            {{2, "MSPINE-"}, 2},
                            {{3, "CORE-"}, 140}},
                           3676},
                          {"selene/selene.compute.txt",
                           {{{1, "LG"}, 200},
                            {{1, "MLG"}, 4},
                            {{2, "CSPINE"}, 320},
                            {{2, "MSPINE"}, 2},
                            {{3, "CCORE"}, 140}},
                           3675}};
  for (const Truth& truth : truths) {
    if (!test::is_here(truth.name)) continue;
    SCOPED_TRACE(truth.name);
    const Fabric fabric = load_fabric(test::lifelike(truth.name)).fabric;
    const Levels levels = find_levels(fabric);
    EXPECT_EQ(by_name(fabric, levels), truth.counts);
    EXPECT_TRUE(levels.is_tree()) << levels.why_not_tree;
    EXPECT_TRUE(levels.horizontal.empty());
    EXPECT_TRUE(levels.skipping.empty());
    EXPECT_EQ(levels.roots.size(), 140U);
    EXPECT_EQ(std::ranges::count(levels.role, TerminalRole::kAggregation), 666);
    EXPECT_EQ(std::ranges::count(levels.role, TerminalRole::kOnLeaf), truth.hosts);
  }
}

TEST(Levels, DgxNdr) {
  for (const std::string& name : test::here({"like-dgx-ndr", "dgx-ndr/ibnetdiscover.txt"})) {
    const Fabric fabric = load_fabric(name).fabric;
    const Levels levels = find_levels(fabric);
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      const bool spine = fabric.description(fabric.node(s)).find("SPINE") != std::string_view::npos;
      EXPECT_EQ(levels.level[s], spine ? 2 : 1) << fabric.description(fabric.node(s));
    }
    EXPECT_TRUE(levels.is_tree()) << levels.why_not_tree;
    EXPECT_EQ(std::ranges::count(levels.role, TerminalRole::kAggregation), 40);
  }
}

TEST(Levels, Stage) {
  for (const std::string& name : test::here({"like-stage", "stage/ibnetdiscover.txt"})) {
    const Fabric fabric = load_fabric(name).fabric;
    const Levels levels = find_levels(fabric);
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      const std::string_view at = display_name(fabric, fabric.node(s));
      EXPECT_EQ(levels.level[s], at == "ib7" || at == "ib8" ? 2 : 1) << at;
    }
    EXPECT_TRUE(levels.is_tree()) << levels.why_not_tree;
    EXPECT_EQ(std::ranges::count(levels.role, TerminalRole::kUpper), 3);
  }
}

// Spines are the four switches without hosts that all the others are cabled to; one leaf has no
// host and is cabled like the others.
TEST(Levels, X5) {
  for (const std::string& name : test::here({"like-x5", "x5/X5.topofile"})) {
    const Fabric fabric = load_fabric(name).fabric;
    const Levels levels = find_levels(fabric);
    const PortGraph net = port_graph(fabric);
    std::map<unsigned, unsigned> counts;
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      ++counts[levels.level[s]];
      EXPECT_EQ(levels.level[s], net.trunks(s).size() > 4 ? 2 : 1) << name << ' ' << index(s);
    }
    EXPECT_EQ(counts, (std::map<unsigned, unsigned>{{1, 7}, {2, 4}}));
  }
}

}  // namespace
}  // namespace fatwood
