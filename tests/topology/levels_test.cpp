// Ranks against the truth: names of generated and of real switches, which the method never reads.

#include "topology/levels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "io/load_fabric.hpp"
#include "support/damaged_tree.hpp"
#include "support/real_fabrics.hpp"
#include "topology/builder.hpp"
#include "topology/spec.hpp"
#include "topology/tree.hpp"

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

Switch named(const Fabric& fabric, std::string_view id) {
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    if (fabric.id(fabric.node(s)) == id) return s;
  }
  return kNone<Switch>;
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

TEST(Levels, NoTrees) {
  for (const char* spec : {"ring(32)", "torus(4,4)", "torus(4,4,4)", "hypercube(5)"}) {
    if (!looks_like_spec(spec)) continue;  // until the family is there
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

TEST(Levels, Selene) {
  const std::string path = test::real_fabric("selene/selene.compute.txt");
  FATWOOD_NEED_REAL_FABRIC(path);
  const Fabric fabric = load_fabric(path).fabric;
  const Levels levels = find_levels(fabric);
  const std::map<std::pair<unsigned, std::string>, unsigned> truth{{{1, "LG"}, 200},
                                                                   {{1, "MLG"}, 4},
                                                                   {{2, "CSPINE"}, 320},
                                                                   {{2, "MSPINE"}, 2},
                                                                   {{3, "CCORE"}, 140}};
  EXPECT_EQ(by_name(fabric, levels), truth);
  EXPECT_TRUE(levels.is_tree()) << levels.why_not_tree;
  EXPECT_TRUE(levels.horizontal.empty());
  EXPECT_TRUE(levels.skipping.empty());
  EXPECT_EQ(levels.roots.size(), 140U);
  EXPECT_EQ(std::ranges::count(levels.role, TerminalRole::kAggregation), 666);
  EXPECT_EQ(std::ranges::count(levels.role, TerminalRole::kCompute), 3675);
}

TEST(Levels, DgxNdr) {
  const std::string path = test::real_fabric("dgx-ndr/ibnetdiscover.txt");
  FATWOOD_NEED_REAL_FABRIC(path);
  const Fabric fabric = load_fabric(path).fabric;
  const Levels levels = find_levels(fabric);
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const bool spine = fabric.description(fabric.node(s)).find("SPINE") != std::string_view::npos;
    EXPECT_EQ(levels.level[s], spine ? 2 : 1) << fabric.description(fabric.node(s));
  }
  EXPECT_TRUE(levels.is_tree()) << levels.why_not_tree;
  EXPECT_EQ(std::ranges::count(levels.role, TerminalRole::kAggregation), 40);
}

TEST(Levels, Stage) {
  const std::string path = test::real_fabric("stage/ibnetdiscover.txt");
  FATWOOD_NEED_REAL_FABRIC(path);
  const Fabric fabric = load_fabric(path).fabric;
  const Levels levels = find_levels(fabric);
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const std::string_view name = display_name(fabric, fabric.node(s));
    EXPECT_EQ(levels.level[s], name == "ib7" || name == "ib8" ? 2 : 1) << name;
  }
  EXPECT_TRUE(levels.is_tree()) << levels.why_not_tree;
  EXPECT_EQ(std::ranges::count(levels.role, TerminalRole::kUpper), 3);
}

TEST(Levels, X5) {
  const std::string path = test::real_fabric("x5/X5.topofile");
  FATWOOD_NEED_REAL_FABRIC(path);
  const Fabric fabric = load_fabric(path).fabric;
  const Levels levels = find_levels(fabric);
  // Spines are the four switches without hosts that all the others are cabled to; 4036-86A2 has
  // no host and is cabled like a leaf.
  std::map<unsigned, unsigned> counts;
  for (const Switch s : ids<Switch>(fabric.num_switches())) ++counts[levels.level[s]];
  EXPECT_EQ(counts, (std::map<unsigned, unsigned>{{1, 7}, {2, 4}}));
  for (const char* id :
       {"S-0008f1050010851e", "S-0008f10500108530", "S-0008f10500108c5c", "S-0008f10500108098"}) {
    EXPECT_EQ(levels.level[named(fabric, id)], 2) << id;
  }
}

}  // namespace
}  // namespace fatwood
