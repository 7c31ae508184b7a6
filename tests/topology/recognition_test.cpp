// SPDX-License-Identifier: BSD-3-Clause
// Recognition against the truth: the generator's own numbering, the cables that were cut, and what
// is known of the real fabrics.

#include "topology/recognise/recognition.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "io/fabric/load_fabric.hpp"
#include "io/fabric/spec.hpp"
#include "report/fabric/finding_text.hpp"
#include "support/damaged_tree.hpp"
#include "support/real_fabrics.hpp"
#include "support/sketch.hpp"
#include "topology/builder.hpp"
#include "topology/generate/tree.hpp"
#include "topology/model.hpp"
#include "topology/recognise/capacity.hpp"

namespace fatwood {
namespace {

using test::damaged_tree;

// Every cable of the ideal tree is at its place in the fabric, or missing there on both ends.
// Returns how many are missing; fails the test where a port leads to the wrong one.
std::size_t hold_to_generator(const Fabric& fabric, const TreeMap& map) {
  const Fabric ideal = make_tree(map.shape);
  std::size_t missing = 0;
  const auto at = [&](Channel c) {
    return map.channel[map.first_slot[index(ideal.owner(c))] + index(ideal.port(c))];
  };
  for (const Channel c : ids<Channel>(ideal.num_channels())) {
    if (!ideal.connected(c) || index(c) > index(ideal.peer(c))) continue;
    const Channel there = at(c);
    const Channel back = at(ideal.peer(c));
    if (there == kNone<Channel>) {
      EXPECT_EQ(back, kNone<Channel>);
      ++missing;
    } else {
      EXPECT_EQ(fabric.peer(there), back);
    }
  }
  return missing;
}

TEST(TreeMap, WholeTreesMapToThemselves) {
  for (const char* spec : {"ft(8,3)", "kary(2,4)", "xgft(3;4,4,8;1,4,4)", "xgft(1;24;1)",
                           "pgft(3;18,18,6;1,18,3;1,1,6)", "pgft(2;3,4;1,2;1,3)", "switch3456"}) {
    const Fabric fabric = make_fabric(spec);
    const Recognition known = Model(fabric).recognition();
    ASSERT_TRUE(known.map) << spec;
    EXPECT_EQ(known.map->shape, *fabric.tree()) << spec;
    EXPECT_TRUE(known.map->complete()) << spec;
    EXPECT_TRUE(known.findings.empty()) << spec << ": " << to_string(known.findings.front().kind);
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      ASSERT_EQ(known.map->place[s], index(fabric.node(s))) << spec;
    }
    for (const Channel c : ids<Channel>(fabric.num_channels())) {
      if (!fabric.connected(c)) continue;
      const std::uint32_t slot = known.map->first_slot[index(fabric.owner(c))];
      ASSERT_EQ(known.map->channel[slot + index(fabric.port(c))], c) << spec;
    }
  }
}

TEST(TreeMap, ShuffledTreesAreTheGeneratorsTree) {
  for (const char* spec : {"ft(8,3)", "kary(2,4)", "xgft(3;4,4,8;1,4,4)", "pgft(2;3,4;1,2;1,3)",
                           "pgft(3;4,6,4;1,2,3;1,3,2)", "ft(4,5)", "switch3456"}) {
    const Fabric whole = make_fabric(spec);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Fabric fabric = damaged_tree(whole, seed, 0).fabric;
      const Recognition known = Model(fabric).recognition();
      ASSERT_TRUE(known.map) << spec;
      EXPECT_EQ(known.map->shape, *whole.tree()) << spec;
      EXPECT_TRUE(known.map->complete()) << spec;
      EXPECT_EQ(hold_to_generator(fabric, *known.map), 0U) << spec;
    }
  }
}

std::vector<std::pair<std::string, std::string>> names(const Fabric& fabric,
                                                       const std::vector<CableGap>& missing) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const CableGap& gap : missing) {
    for (std::uint32_t i = gap.there; i < gap.usual; ++i) {
      result.emplace_back(fabric.id(fabric.node(gap.below)), fabric.id(fabric.node(gap.above)));
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

TEST(Recognition, NamesExactlyTheCablesThatWereCut) {
  for (const char* spec :
       {"ft(8,3)", "ft(12,3)", "xgft(3;4,4,8;1,4,4)", "xgft(2;18,36;1,18)", "kary(6,3)",
        "pgft(3;18,18,6;1,18,3;1,1,6)", "pgft(2;8,8;1,4;1,2)", "ft(10,4)", "switch3456"}) {
    const Fabric whole = make_fabric(spec);
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      auto damaged = damaged_tree(whole, seed, 0.05);
      const Recognition known = Model(damaged.fabric).recognition();
      ASSERT_TRUE(known.map) << spec << " seed " << seed;
      ASSERT_EQ(known.map->shape, *whole.tree()) << spec << " seed " << seed;
      std::sort(damaged.cut.begin(), damaged.cut.end());
      EXPECT_EQ(names(damaged.fabric, known.missing), damaged.cut) << spec << " seed " << seed;
      EXPECT_EQ(known.map->missing_cables, damaged.cut.size()) << spec << " seed " << seed;
      EXPECT_EQ(hold_to_generator(damaged.fabric, *known.map), damaged.cut.size());
    }
  }
}

TEST(Recognition, MissingHostsAreCounted) {
  const Fabric whole = make_fabric("ft(8,3)");
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto damaged = damaged_tree(whole, seed, 0, 0.1);
    const Recognition known = Model(damaged.fabric).recognition();
    ASSERT_TRUE(known.map);
    EXPECT_EQ(known.map->shape, *whole.tree());
    EXPECT_EQ(known.map->missing_hosts, damaged.cut.size());
    EXPECT_TRUE(known.missing.empty());
  }
}

// What was not built as such a tree is never called one.
TEST(Recognition, ClaimsNoShapeThatIsNotThere) {
  for (const char* spec : {"ring(32)", "torus(4,4,4)", "hypercube(5)", "random(16,32,seed=3001)",
                           "juropa", "switch648+racks", "switch3456+racks"}) {
    const Recognition known = Model(make_fabric(spec)).recognition();
    EXPECT_FALSE(known.map) << spec << ": " << known.summary;
    EXPECT_TRUE(known.missing.empty()) << spec;
    EXPECT_EQ(known.summary.substr(0, 3), "No ") << spec;
  }
}

std::map<std::string_view, unsigned> kinds(const Recognition& known) {
  std::map<std::string_view, unsigned> counts;
  for (const Finding& finding : known.findings) ++counts[to_string(finding.kind)];
  return counts;
}

// What the report says of the first finding of a kind.
std::string first(const Fabric& fabric, const Recognition& known, std::string_view kind) {
  const auto at = std::ranges::find(known.findings, kind,
                                    [](const Finding& finding) { return to_string(finding.kind); });
  if (at == known.findings.end()) return "";
  return finding_sentence(fabric, Labels(fabric), known.levels, *at);
}

// The fabric with some cables' far ends replaced; kNone cuts the cable.
Fabric recabled(const Fabric& whole, const std::map<Channel, Channel>& far_end) {
  FabricBuilder builder;
  std::vector<FabricBuilder::Handle> handle;
  for (const Node node : ids<Node>(whole.num_nodes())) {
    handle.push_back(whole.is_switch(node) ? builder.add_switch(whole.id(node), whole.ports(node))
                                           : builder.add_adapter(whole.id(node), 1));
  }
  for (const Channel c : ids<Channel>(whole.num_channels())) {
    if (!whole.connected(c) || index(c) > index(whole.peer(c))) continue;
    const auto found = far_end.find(c);
    const Channel to = found == far_end.end() ? whole.peer(c) : found->second;
    if (to == kNone<Channel>) continue;
    builder.connect(handle[index(whole.owner(c))], whole.port(c), handle[index(whole.owner(to))],
                    whole.port(to));
  }
  return builder.build();
}

Channel port_of(const Fabric& fabric, std::string_view id, Port port) {
  return fabric.channel(fabric.node(test::switch_named(fabric, id)), port);
}

TEST(Recognition, SaysWhereAMissingCableGoes) {
  const Fabric whole = make_fabric("pgft(2;10,6;1,4;1,2)");
  const Fabric fabric = recabled(whole, {{port_of(whole, "S1_2", Port{6}), kNone<Channel>}});
  const Recognition known = Model(fabric).recognition();
  EXPECT_EQ(known.summary, "This is pgft(2;10,6;1,4;1,2) less 1 cable.");
  EXPECT_EQ(kinds(known), (std::map<std::string_view, unsigned>{{"missing-cable", 1}}));
  EXPECT_EQ(first(fabric, known, "missing-cable"),
            "S1_2 has 7 up-links where 8 are usual; missing: 1 of 2 to S2_1 "
            "(S1_2[6] - S2_1[9], both free)");
}

// Statements about the best possible hold for a tree alone: any cable or host more is counted.
TEST(Recognition, ATreeWithMoreThanTheTreeIsNotComplete) {
  const std::string tree = "A:4 B:4 C:4 S T A-S B-S C-S A-T B-T C-T ";
  const auto summary = [&](const std::string& more) {
    const Model model(test::sketch(tree + more));
    EXPECT_EQ(model.complete_tree().has_value(), more.empty()) << more;
    EXPECT_EQ(model.recognition().map->complete(), more.empty()) << more;
    EXPECT_TRUE(model.recognition().map->filled()) << more;
    return model.recognition().summary;
  };
  EXPECT_EQ(summary(""), "This is xgft(2;4,3;1,2).");
  EXPECT_EQ(summary("A-B"), "Nearest to xgft(2;4,3;1,2), plus 1 cable.");
  EXPECT_EQ(summary("A-S"), "Nearest to xgft(2;4,3;1,2), plus 1 cable.");
  EXPECT_EQ(summary("S-T"), "Nearest to xgft(2;4,3;1,2), plus 1 cable.");
  EXPECT_EQ(summary("S:1"), "This is xgft(2;4,3;1,2), plus 1 host port.");
}

TEST(Recognition, SideLeafUpperHostAndEmptyLeaf) {
  std::string wide;
  for (const char leaf : std::string("ABCDEF")) {
    wide += fmt::format("{}{} ", leaf, leaf == 'F' ? "" : ":10");
    for (int spine = 0; spine < 8; ++spine) wide += fmt::format("{}-S{} ", leaf, spine);
  }
  const Fabric fabric = test::sketch(wide + "M:3 M-S0*2 S3:1 ");
  const Recognition known = Model(fabric).recognition();
  EXPECT_EQ(known.summary,
            "This is xgft(2;10,6;1,8) less 10 hosts, plus 1 switch and 1 host port.");
  EXPECT_EQ(kinds(known), (std::map<std::string_view, unsigned>{
                              {"apart", 1}, {"side", 1}, {"upper-host", 1}, {"no-hosts", 1}}));
  EXPECT_EQ(first(fabric, known, "side"),
            "M is not part of the tree: a leaf with 3 hosts; cables upwards: 2 to S0");
  EXPECT_EQ(first(fabric, known, "upper-host"), "S3, a spine, has 1 host: S3.0 on port 7");
  EXPECT_EQ(first(fabric, known, "no-hosts"), "F is cabled like a leaf and has no hosts");
}

// Two cables swapped between two pods lead to the wrong spines.
TEST(Recognition, SwappedCablesAreNamed) {
  const Fabric whole = make_fabric("ft(12,3)");
  const Channel a = port_of(whole, "S1_0", Port{3});
  const Channel b = port_of(whole, "S1_30", Port{3});
  const Recognition known =
      Model(recabled(whole, {{a, whole.peer(b)}, {b, whole.peer(a)}})).recognition();
  ASSERT_TRUE(known.map) << known.summary;
  EXPECT_EQ(known.map->shape, *whole.tree());
  EXPECT_EQ(kinds(known)["foreign-cable"], 2U);
  EXPECT_EQ(kinds(known)["missing-cable"], 2U);
}

TEST(Recognition, SlowCablesAndSameNames) {
  FabricBuilder builder;
  const auto s = builder.add_switch("S", 8);
  const auto t = builder.add_switch("T", 8);
  for (std::uint32_t port = 1; port <= 4; ++port) {
    const auto leaf = builder.add_switch(fmt::format("L{}", port), 8);
    builder.set_description(leaf, "leaf");
    const Rate rate{static_cast<std::uint8_t>(port == 3 ? 1 : 4), Speed::kHdr};
    builder.connect(leaf, Port{1}, s, static_cast<Port>(port), rate);
    builder.connect(leaf, Port{2}, t, static_cast<Port>(port), Rate{4, Speed::kHdr});
    for (std::uint32_t host = 3; host <= 6; ++host) {
      const auto node = builder.add_adapter(fmt::format("H{}", port * 8 + host), 1);
      builder.connect(leaf, static_cast<Port>(host), node, Port{1},
                      Rate{4, port == 2 ? Speed::kEdr : Speed::kHdr});
    }
  }
  const Fabric fabric = builder.build();
  const Recognition known = Model(fabric).recognition();
  EXPECT_EQ(kinds(known), (std::map<std::string_view, unsigned>{
                              {"slow-cable", 1}, {"slow-host", 1}, {"same-name", 1}}));
  EXPECT_EQ(first(fabric, known, "slow-cable"),
            "leaf (L3)[1] - S[3] runs at 1xHDR where 7 cables between these levels run at 4xHDR: a "
            "bottleneck, with 25% of their speed");
  EXPECT_EQ(first(fabric, known, "slow-host"),
            "4 hosts on leaf (L2) ports 3-6 run at 4xEDR where 12 hosts run at 4xHDR");
}

TEST(Recognition, SeparatePlanes) {
  const std::string plane = "A:4 B:4 S T A-S A-T B-S B-T ";
  std::string second = plane;
  for (char& c : second) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  const Recognition known = Model(test::sketch(plane + second)).recognition();
  EXPECT_EQ(known.summary, "These are 2 separate trees, each xgft(2;4,2;1,2).");
  EXPECT_EQ(kinds(known), (std::map<std::string_view, unsigned>{{"parts", 1}}));
}

// Cables between switches of levels l and l+1 that are not off the side, by levels and cables
// alone.
std::map<unsigned, unsigned> cables_up(const Fabric& fabric, const Recognition& known) {
  std::map<unsigned, unsigned> count;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c) || !fabric.is_switch(fabric.owner(c))) continue;
    if (!fabric.is_switch(fabric.neighbour(c))) continue;
    const Switch a = fabric.as_switch(fabric.owner(c));
    const Switch b = fabric.as_switch(fabric.neighbour(c));
    if (known.side.off[a] + known.side.off[b] != 0) continue;
    if (known.levels.level[a] < known.levels.level[b]) ++count[known.levels.level[a]];
  }
  return count;
}

TEST(Recognition, Selene) {
  for (const std::string& name : test::here({"like-selene", "selene/selene.compute.txt"})) {
    SCOPED_TRACE(name);
    const Fabric fabric = load_fabric(name).fabric;
    const Recognition known = Model(fabric).recognition();
    ASSERT_TRUE(known.map);
    EXPECT_EQ(known.map->shape, pgft({20, 7, 32}, {1, 10, 14}, {1, 2, 1}));
    EXPECT_EQ(known.map->missing_at, (std::vector<std::uint64_t>{24, 0, 0}));
    std::map<unsigned, unsigned> missing;
    for (const CableGap& gap : known.missing) {
      missing[known.levels.level[gap.below]] += gap.usual - gap.there;
    }
    // Of 200 leaves with 20 cables up and 320 spines with 14.
    std::map<unsigned, unsigned> there = cables_up(fabric, known);
    EXPECT_EQ(missing, (std::map<unsigned, unsigned>{{1, 4000 - there[1]}, {2, 4480 - there[2]}}));
    EXPECT_EQ(missing[1] + missing[2], 29U);
    // Off the side: the management leaves and spines, and nothing else.
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      const bool management = display_name(fabric, fabric.node(s)).starts_with('M');
      EXPECT_EQ(known.side.off[s] != 0, management) << display_name(fabric, fabric.node(s));
    }
    EXPECT_EQ(kinds(known)["foreign-cable"], 0U);
    for (const ReportedFinding& finding : reported_findings(fabric, known)) {
      if (finding.kind != FindingKind::kMissingCable) continue;
      EXPECT_NE(finding.sentence.find("both free"), std::string::npos) << finding.sentence;
    }
  }
}

// Two leaves under a spine; each leaf has two hosts with both ports on it, and one host has a port
// on each leaf.
TEST(Recognition, HostsWithSeveralPortsAreCountedOnceASwitch) {
  FabricBuilder builder;
  const auto spine = builder.add_switch("spine", 8);
  std::vector<FabricBuilder::Handle> leaves;
  const auto shared = builder.add_adapter("shared", 2);
  for (const char* name : {"left", "right"}) {
    const auto leaf = leaves.emplace_back(builder.add_switch(name, 12));
    builder.connect(leaf, Port{1}, spine, static_cast<Port>(2 * leaves.size() - 1));
    builder.connect(leaf, Port{2}, spine, static_cast<Port>(2 * leaves.size()));
    builder.connect(leaf, Port{3}, shared, static_cast<Port>(leaves.size()));
    for (std::uint32_t i = 0; i < 2; ++i) {
      const auto host = builder.add_adapter(std::string(name) + std::to_string(i), 2);
      builder.connect(leaf, static_cast<Port>(4 + 2 * i), host, Port{1});
      builder.connect(leaf, static_cast<Port>(5 + 2 * i), host, Port{2});
    }
  }
  const Fabric fabric = builder.build();
  const Recognition known = Model(fabric).recognition();
  EXPECT_EQ(known.summary, "This is pgft(2;5,2;1,1;1,2).");
  EXPECT_EQ(first(fabric, known, "several-ports"),
            "5 hosts have 2 cables into switches: levels count such a host once a switch, the "
            "tree's shape counts every cable");
  EXPECT_EQ(kinds(known)["several-ports"], 1U);
  const LevelCapacity at_leaves = capacity(fabric, known.levels).levels.front();
  EXPECT_EQ(at_leaves.hosts, 6U);
  EXPECT_EQ(at_leaves.most_hosts, 3U);
  EXPECT_EQ(at_leaves.least_hosts, 3U);
}

// Two leaves of four hosts, with one cable up each: half of the two cables is the cut.
TEST(Capacity, BisectionIsHalfOfTheThinnestLevel) {
  const Fabric fabric = make_fabric("xgft(2;4,2;1,1)");
  const Model model(fabric);
  const Capacity found = capacity(fabric, model.levels());
  ASSERT_TRUE(found.bisection);
  EXPECT_EQ(found.bisection->level, 1);
  EXPECT_EQ(found.bisection->megabits, 32000U);
  EXPECT_EQ(found.bisection->hosts_megabits, 128000U);
}

TEST(Recognition, OtherRealFabrics) {
  struct Truth {
    const char* name;
    const char* summary;
  };
  for (const auto& [name, summary] :
       {Truth{"like-dgx-ndr", "This is pgft(2;19,31;1,9;1,2) less 26 cables and 49 hosts."},
        Truth{"dgx-ndr/ibnetdiscover.txt",
              "This is pgft(2;19,31;1,9;1,2) less 26 cables and 47 hosts."},
        Truth{"like-stage",
              "This is pgft(2;24,6;1,2;1,4) less 1 cable and 2 hosts, plus 3 host ports."},
        Truth{"stage/ibnetdiscover.txt",
              "This is pgft(2;24,6;1,2;1,4) less 1 cable and 2 hosts, plus 3 host ports."},
        Truth{"like-x5",
              "Nearest to pgft(2;24,7;1,4;1,3) less 20 cables and 79 hosts, plus 6 cables."},
        Truth{"x5/X5.topofile",
              "Nearest to pgft(2;24,7;1,4;1,3) less 20 cables and 79 hosts, plus 6 cables."}}) {
    if (!test::is_here(name)) continue;
    EXPECT_EQ(Model(load_fabric(test::lifelike(name)).fabric).recognition().summary, summary)
        << name;
  }
  for (const std::string& name : test::here({"like-stage", "stage/ibnetdiscover.txt"})) {
    const Fabric fabric = load_fabric(name).fabric;
    const std::string sentence = first(fabric, Model(fabric).recognition(), "missing-cable");
    EXPECT_TRUE(sentence.ends_with("both free)")) << sentence;
    EXPECT_TRUE(
        sentence.starts_with("ib1 has 7 up-links where 8 are usual; missing: 1 of 4 to ib8"))
        << sentence;
  }
  for (const std::string& name : test::here({"like-x5", "x5/X5.topofile"})) {
    EXPECT_EQ(kinds(Model(load_fabric(name).fabric).recognition())["slow-host"], 2U) << name;
  }
}

}  // namespace
}  // namespace fatwood
