// SPDX-License-Identifier: BSD-3-Clause
// Counts, degrees and connectivity of the generated fabrics that are not complete trees.

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <map>
#include <set>

#include "core/error.hpp"
#include "io/fabric/spec.hpp"
#include "studies/topologies_of_chiu02.hpp"
#include "support/input_error.hpp"

namespace fatwood {
namespace {

// Nodes that can be reached from node 0.
std::size_t reached(const Fabric& fabric) {
  std::vector<Node> found{Node{0}};
  std::set<Node> seen{Node{0}};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const Channel c : fabric.channels(found[i])) {
      if (fabric.connected(c) && seen.insert(fabric.neighbour(c)).second) {
        found.push_back(fabric.neighbour(c));
      }
    }
  }
  return found.size();
}

std::size_t switch_links(const Fabric& fabric) {
  return fabric.num_cables() - fabric.num_terminals();
}

// How many links a switch has to each other switch.
std::map<Node, unsigned> neighbours(const Fabric& fabric, Node node) {
  std::map<Node, unsigned> count;
  for (const Channel c : fabric.channels(node)) {
    if (fabric.connected(c) && fabric.is_switch(fabric.neighbour(c))) ++count[fabric.neighbour(c)];
  }
  return count;
}

std::string error_of(std::string_view spec) {
  return test::input_error_of([&] { make_fabric(spec); });
}

struct Counts {
  std::string_view spec;
  std::size_t switches, terminals, links;
};

TEST(Generators, CountsOfRealFabrics) {
  for (const Counts& want : {
           Counts{"switch648", 54, 648, 1296},
           {"switch3456", 720, 3456, 10368},
           {"switch648+racks", 108, 648, 2187},
           {"switch3456+racks", 1008, 3456, 15120},
           {"juropa", 864, 5184, 17496},
           {"directors(36,18)", 90, 648, 1944},
           {"directors(50,20,up=10,boxes=2,seed=3)", 158, 1000, 2796},
           {"ranger", 2 * 720 + 576, 6912, 27648},
           {"clos(leaves=4,spines=2,hosts=3)", 6, 12, 20},
           {"clos(pods=2,leaves=2,spines=2,cores=3,hosts=2)", 14, 8, 28},
           {"rlft(18,3,6)", 270, 1944, 5832},
       }) {
    const Fabric fabric = make_fabric(want.spec);
    EXPECT_EQ(fabric.num_switches(), want.switches) << want.spec;
    EXPECT_EQ(fabric.num_terminals(), want.terminals) << want.spec;
    EXPECT_EQ(fabric.num_cables(), want.links) << want.spec;
    EXPECT_EQ(reached(fabric), fabric.num_nodes()) << want.spec;
  }
}

TEST(Generators, DirectorsAreCabledByHand) {
  const Fabric fabric = make_fabric("directors(60,16,up=12,boxes=2)");
  std::map<unsigned, unsigned> bundles;  // by cables
  for (std::uint32_t leaf = 0; leaf < 60; ++leaf) {
    unsigned cables = 0;
    for (const auto& [other, count] : neighbours(fabric, fabric.node(static_cast<Switch>(leaf)))) {
      const std::uint32_t line = (index(fabric.as_switch(other)) - 60) % 54;
      EXPECT_LT(line, 36U) << "a cable to a spine";
      ++bundles[count];
      cables += count;
    }
    EXPECT_EQ(cables, 12U);
  }
  for (const unsigned cables : {1U, 2U, 3U, 4U, 5U, 6U}) EXPECT_GT(bundles[cables], 10U) << cables;
  EXPECT_EQ(fabric, make_fabric("directors(60,16,up=12,boxes=2,seed=1)"));
  EXPECT_NE(fabric, make_fabric("directors(60,16,up=12,boxes=2,seed=2)"));
}

TEST(Generators, JuropaLeavesReachEveryBoxAndTheirTwin) {
  const Fabric fabric = make_fabric("juropa");
  for (std::uint32_t leaf = 0; leaf < 432; ++leaf) {
    const Node node = fabric.node(static_cast<Switch>(leaf));
    std::map<std::uint32_t, unsigned> to_box;
    for (const auto& [other, count] : neighbours(fabric, node)) {
      const std::uint32_t s = index(fabric.as_switch(other));
      if (s < 432) {
        EXPECT_EQ(s, leaf ^ 1U);
        EXPECT_EQ(count, 9U);
      } else {
        EXPECT_LT((s - 432) % 54, 36U) << "a cable to a spine";
        to_box[(s - 432) / 54] += count;
      }
    }
    ASSERT_EQ(to_box.size(), 8U);
    for (const auto& [box, count] : to_box) {
      EXPECT_EQ(count, (box < 4) == (leaf % 2 == 0) ? 2U : 1U);
    }
  }
  // Every box is full: no line switch has a free port.
  for (std::uint32_t s = 432; s < 864; ++s) {
    const Node node = fabric.node(static_cast<Switch>(s));
    for (const Channel c : fabric.channels(node)) EXPECT_TRUE(fabric.connected(c));
  }
}

TEST(Generators, RangerLeavesHaveSixCablesToEachBox) {
  const Fabric fabric = make_fabric("ranger");
  for (std::uint32_t leaf = 0; leaf < 576; ++leaf) {
    const auto lines = neighbours(fabric, fabric.node(static_cast<Switch>(leaf)));
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(fabric.id(lines.begin()->first), "B0S1_" + std::to_string(leaf / 2));
    EXPECT_EQ(fabric.id(lines.rbegin()->first), "B1S1_" + std::to_string(leaf / 2));
    for (const auto& [line, count] : lines) EXPECT_EQ(count, 6U);
  }
}

TEST(Generators, RegularGraphs) {
  for (const Counts& want : {
           Counts{"ring(3)", 3, 3, 3},
           {"ring(32,terminals=64)", 32, 64, 32},
           {"torus(4,4)", 16, 16, 32},
           {"torus(2,3)", 6, 6, 3 + 6},
           {"torus(3,4,5)", 60, 60, 180},
           {"torus(4,4,4,wrap=1)", 64, 64, 160},
           {"torus(4,4,4,wrap=0)", 64, 64, 144},
           {"hypercube(5)", 32, 32, 80},
           {"hypercube(6,terminals=0)", 64, 0, 192},
       }) {
    const Fabric fabric = make_fabric(want.spec);
    EXPECT_EQ(fabric.num_switches(), want.switches) << want.spec;
    EXPECT_EQ(fabric.num_terminals(), want.terminals) << want.spec;
    EXPECT_EQ(switch_links(fabric), want.links) << want.spec;
    EXPECT_EQ(reached(fabric), fabric.num_nodes()) << want.spec;
  }
  const Fabric torus = make_fabric("torus(3,4,5)");
  for (const Switch s : ids<Switch>(60)) EXPECT_EQ(neighbours(torus, torus.node(s)).size(), 6U);
  const Fabric cube = make_fabric("hypercube(5)");
  for (const Switch s : ids<Switch>(32)) {
    for (const auto& [other, count] : neighbours(cube, cube.node(s))) {
      EXPECT_EQ(std::popcount(index(cube.as_switch(other)) ^ index(s)), 1);
    }
  }
}

TEST(Generators, RandomGraphsKeepTheirDegrees) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    for (const auto& [n, links, least, largest] : {std::tuple{16U, 24U, 1U, 8U},
                                                   {16U, 32U, 2U, 6U},
                                                   {16U, 40U, 5U, 5U},
                                                   {8U, 8U, 2U, 2U},
                                                   {6U, 15U, 1U, 8U},
                                                   {20U, 19U, 1U, 19U},
                                                   {2U, 1U, 1U, 8U}}) {
      const Fabric fabric =
          make_fabric("random(" + std::to_string(n) + "," + std::to_string(links) +
                      ",min=" + std::to_string(least) + ",max=" + std::to_string(largest) +
                      ",seed=" + std::to_string(seed) + ")");
      EXPECT_EQ(switch_links(fabric), links);
      EXPECT_EQ(reached(fabric), fabric.num_nodes());
      for (const Switch s : ids<Switch>(n)) {
        const auto others = neighbours(fabric, fabric.node(s));
        EXPECT_GE(others.size(), least);
        EXPECT_LE(others.size(), largest);
        for (const auto& [other, count] : others) {
          EXPECT_EQ(count, 1U);
          EXPECT_NE(other, fabric.node(s));
        }
      }
    }
  }
}

TEST(Generators, DuplicatesAreCounted) {
  const Fabric fabric = make_fabric("random(16,48,max=5,dup=8,seed=5003)");
  EXPECT_EQ(switch_links(fabric), 48U);
  unsigned parallel = 0;
  for (const Switch s : ids<Switch>(16)) {
    const auto others = neighbours(fabric, fabric.node(s));
    EXPECT_LE(others.size(), 5U);
    for (const auto& [other, count] : others) parallel += count - 1;
  }
  EXPECT_EQ(parallel, 2 * 8U);
}

TEST(Generators, SeedDecidesAndRepeats) {
  EXPECT_EQ(make_fabric("random(16,32,seed=3001)"), make_fabric("random(16,32,seed=3001)"));
  EXPECT_FALSE(make_fabric("random(16,32,seed=3001)") == make_fabric("random(16,32,seed=3002)"));
}

TEST(Generators, TerminalsGoToTheSmallestDegreeFirst) {
  // 12 ends and middles of an open 3x4 grid have degrees 2, 3 and 4.
  const Fabric fabric = make_fabric("torus(3,4,wrap=0,terminals=7)");
  std::map<Switch, unsigned> hung;
  for (const Terminal t : ids<Terminal>(7)) ++hung[fabric.leaf(t)];
  // Four corners of degree 2 take one each, then the lowest of degree 3: 0, 1, 2.
  EXPECT_EQ(hung, (std::map<Switch, unsigned>{{Switch{0}, 2},
                                              {Switch{1}, 1},
                                              {Switch{2}, 1},
                                              {Switch{3}, 1},
                                              {Switch{8}, 1},
                                              {Switch{11}, 1}}));
}

TEST(Generators, Table1OfPaper004) {
  ASSERT_EQ(topologies_of_chiu02().size(), 46U);
  std::set<std::string_view> names;
  for (const NamedSpec& row : topologies_of_chiu02()) {
    EXPECT_TRUE(names.insert(row.name).second);
    const Fabric fabric = make_fabric(row.spec);
    EXPECT_EQ(reached(fabric), fabric.num_nodes()) << row.name;
    if (row.name == "rndm-nice") {
      EXPECT_EQ(fabric.num_switches(), 16U);
      EXPECT_EQ(switch_links(fabric), 29U);
      continue;
    }
    // "type-switches-links-..."
    unsigned switches = 0;
    unsigned links = 0;
    const std::string_view rest = row.name.substr(row.name.find('-') + 1);
    const char* end = rest.data() + rest.size();
    const char* middle = std::from_chars(rest.data(), end, switches).ptr;
    std::from_chars(middle + 1, end, links);
    EXPECT_EQ(fabric.num_switches(), switches) << row.name;
    if (row.name == "hypercube-64-102-6") links = 192;
    EXPECT_EQ(switch_links(fabric), links) << row.name;
  }
}

TEST(Generators, WrongSpecsSayWhatIsWrong) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"xgtf(2;4,4;1,4)", "the families are:"},
      {"xgft(2;4,x;1,4)", ":1:10: expected a number, found 'x'"},
      {"xgft(2;4,4;1,4", "expected ')', found the end"},
      {"ft(99999999999,2)", ":1:4: expected a number below 2^32"},
      {"torus(4,1)", "dimension 2 is 1"},
      {"torus(4,4,wrap=3)", "wrap is 3"},
      {"torus(4,4,warp=1)", ":1:11: warp= is not known"},
      {"torus(4,wrap=1,4)", "numbers must come before options"},
      {"ring(2)", "at least 3 switches, not 2"},
      {"ring(3,terminals=1000)", "terminals find a port"},
      {"hypercube(21)", "1 to 20"},
      {"clos(leaves=3,homes=2)", "homes=2 needs pairs of leaves"},
      {"clos(homes=3)", "homes= is 1 or 2"},
      {"clos(spines=0)", "spines=0: expected 1 or more"},
      {"clos(speed=300)", "speed=300: not a speed of Ethernet"},
      {"clos(hosts=250,spines=8)", "a leaf needs 258 ports"},
      {"clos(pods=2,pods=3)", "given twice"},
      {"hypercube(20)", "at most 8388608 cables, and this one has 11534336"},
      {"random(1000000,100000000)", "at most 8388608 cables, and this one has 100000000"},
      {"kary(100,4)", "at most 8388608 cables, and this one has 400000000"},
      {"directors(10000000,18,boxes=1000000)", "at most 8388608 cables"},
      {"random(16,14)", "15 at least"},
      {"random(16,200)", "120 at most"},
      {"random(16,32,min=5)", "min is 5"},
      {"random(16,32,min=9,max=8)", "more than max"},
      {"random(16,32,max=300)", "254 ports at most"},
      {"random(16,32,dup=20)", "without the duplicates"},
      {"random(1,0)", "2 at least"},
      {"random(0,0)", "2 at least"},
      {"random(16,32,seed=1,seed=2)", "twice"},
      {"rlft(18,3,5)", "top is 5"},
      {"rlft(0,3)", "K is 0"},
      {"juropa(1)", "expected juropa"},
      {"directors(36)", "expected directors(leaves,hosts"},
      {"directors(36,20)", "a leaf has 36 ports, not 20 for hosts and 20 upwards"},
      {"directors(37,18)", "666 cables do not fit 1 switches of 648 ports"},
      {"directors(0,18)", "must be above 0"},
      {"(3)", "expected a fabric's name"},
  };
  for (const auto& [spec, message] : kCases) {
    EXPECT_NE(error_of(spec).find(message), std::string::npos) << spec << ": " << error_of(spec);
  }
}

TEST(Generators, AWordAndABracketIsMeantAsASpec) {
  EXPECT_TRUE(looks_like_spec("xgtf(2;4,4;1,4)"));
  EXPECT_TRUE(looks_like_spec("juropa"));
  EXPECT_TRUE(looks_like_spec("switch648+racks"));
  EXPECT_TRUE(looks_like_spec(" ring (3)"));
  EXPECT_FALSE(looks_like_spec("fabric.txt"));
  EXPECT_FALSE(looks_like_spec("dir/ring(3)"));
  EXPECT_FALSE(looks_like_spec(""));
  EXPECT_FALSE(looks_like_spec("-"));
}

}  // namespace
}  // namespace fatwood
