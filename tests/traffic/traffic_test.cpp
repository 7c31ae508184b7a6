// SPDX-License-Identifier: BSD-3-Clause
// Patterns by their definitions, the file format and its errors.

#include "traffic/traffic.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "core/error.hpp"
#include "core/text/words.hpp"
#include "support/input_error.hpp"
#include "topology/builder.hpp"
#include "topology/generate/tree.hpp"

namespace fatwood {
namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

Pairs pairs(const Traffic& traffic) {
  Pairs all;
  for (const Flow& flow : traffic.flows) {
    EXPECT_NE(flow.source, flow.destination);
    EXPECT_LT(index(flow.source), traffic.adapters);
    EXPECT_LT(index(flow.destination), traffic.adapters);
    EXPECT_EQ(traffic.amount(flow), Fraction(1));
    EXPECT_TRUE(all.emplace(index(flow.source), index(flow.destination)).second);
  }
  return all;
}
Pairs pairs(std::string_view text, std::size_t n, std::size_t stage = 0) {
  return pairs(make_traffic(text, AdapterNames(n)).stage(stage));
}
std::string message(std::string_view text, std::size_t n) {
  return test::input_error_of([&] { make_traffic(text, AdapterNames(n)); });
}
std::string file_message(const std::string& text) {
  std::istringstream in(text);
  return test::input_error_of(
      [&] { parse_traffic(in, "t.txt", AdapterNames(Model(make_tree(xgft({4, 4}, {1, 2}))))); });
}

TEST(Traffic, Permutation) {
  const Pairs all = pairs("permutation", 100);
  std::set<std::uint32_t> sources;
  std::set<std::uint32_t> destinations;
  for (const auto& [s, d] : all) {
    EXPECT_TRUE(sources.insert(s).second);
    EXPECT_TRUE(destinations.insert(d).second);
  }
  EXPECT_EQ(sources, destinations);
  EXPECT_GT(all.size(), 90U);
}

TEST(Traffic, UniformAndClusters) {
  EXPECT_EQ(pairs("uniform:1", 20).size(), 380U);
  EXPECT_EQ(pairs("uniform:0", 20).size(), 0U);
  EXPECT_NEAR(static_cast<double>(pairs("uniform:1/4", 200).size()), 9950, 450);
  const Pairs groups = pairs("cluster:4", 64);
  EXPECT_EQ(groups.size(), 64U * 3);
  for (const auto& [s, d] : groups) EXPECT_TRUE(groups.contains({d, s}));
  EXPECT_EQ(pairs("cluster:4", 10).size(), 2 * 12U + 2);
  EXPECT_EQ(pairs("alltoall", 9).size(), 72U);
}

TEST(Traffic, ShiftsRingHotspot) {
  EXPECT_EQ(pairs("shift:3", 4), Pairs({{0, 3}, {1, 0}, {2, 1}, {3, 2}}));
  EXPECT_EQ(pairs("ring", 3), Pairs({{0, 1}, {1, 2}, {2, 0}}));
  EXPECT_EQ(pairs("hotspot:1", 4), Pairs({{0, 1}, {2, 1}, {3, 1}}));
  EXPECT_EQ(make_traffic("shifts", AdapterNames(7)).stages, 6U);
  EXPECT_EQ(pairs("shifts", 7, 5), pairs("shift:6", 7));
}

TEST(Traffic, AmountsThatAreTooLargeTogetherAreRefused) {
  EXPECT_EQ(file_message("H0 H1 0.000001\nH1 H2 99999999999\n"),
            "t.txt: H1 sends 99999999999 to H2: expected at most 2^40 over the amounts' common "
            "denominator, 1000000");
  EXPECT_EQ(file_message("H0 H1 1099511627776\n"), "no error");
  EXPECT_NE(file_message("H0 H1 1099511627777\n"), "no error");
  EXPECT_NE(file_message("H0 H1 9223372036854775807\nH0 H1 1\n"), "no error");
}

TEST(Traffic, RecursiveDoublingReachesEveryRank) {
  for (const std::size_t n : {2U, 8U, 11U, 64U}) {
    for (const char* name : {"doubling", "halving"}) {
      const Schedule schedule = make_traffic(name, AdapterNames(n));
      std::vector<std::set<std::size_t>> knows(n);
      for (std::size_t i = 0; i < n; ++i) knows[i] = {i};
      for (std::size_t stage = 0; stage < schedule.stages; ++stage) {
        const auto before = knows;
        for (const auto& [s, d] : pairs(schedule.stage(stage))) {
          knows[d].insert(before[s].begin(), before[s].end());
        }
      }
      for (const auto& known : knows) EXPECT_EQ(known.size(), n) << name << n;
    }
  }
  EXPECT_EQ(pairs("doubling", 4, 0), Pairs({{0, 1}, {1, 0}, {2, 3}, {3, 2}}));
  EXPECT_EQ(pairs("halving", 4, 0), Pairs({{0, 2}, {2, 0}, {1, 3}, {3, 1}}));
}

TEST(Traffic, BitPatterns) {
  EXPECT_TRUE(pairs("complement", 16).contains({1, 14}));
  EXPECT_TRUE(pairs("reverse", 16).contains({1, 8}));
  EXPECT_TRUE(pairs("transpose", 16).contains({0b0111, 0b1101}));
  EXPECT_TRUE(pairs("shuffle", 16).contains({0b1010, 0b0101}));
  EXPECT_NE(message("reverse", 12).find("power of two"), std::string::npos);
  EXPECT_NE(message("transpose", 32).find("even"), std::string::npos);
}

TEST(Traffic, Placed) {
  const Schedule ring =
      place(make_traffic("ring", AdapterNames(3)), {Adapter{5}, Adapter{1}, Adapter{9}}, 12);
  EXPECT_EQ(pairs(ring.stage(0)), Pairs({{5, 1}, {1, 9}, {9, 5}}));
}

TEST(Traffic, FileWithStagesAndFractions) {
  std::istringstream in(
      "# a comment\nH0 5 1/2\n0 H5 1/3  # again\n1 2\n3 4 0\nstage\nH3 H1 0.25\n");
  const Schedule schedule =
      parse_traffic(in, "t.txt", AdapterNames(Model(make_tree(xgft({4, 4}, {1, 2})))));
  ASSERT_EQ(schedule.stages, 2U);
  const Traffic first = schedule.stage(0);
  ASSERT_EQ(first.flows.size(), 2U);
  EXPECT_EQ(first.amount(first.flows[0]), Fraction(5, 6));
  EXPECT_EQ(first.amount(first.flows[1]), Fraction(1));
  const Traffic second = schedule.stage(1);
  EXPECT_EQ(second.amount(second.flows[0]), Fraction(1, 4));
}

TEST(Traffic, NamesWithBlanksStandInQuotes) {
  FabricBuilder builder;
  const auto leaf = builder.add_switch("leaf", 4);
  builder.connect(leaf, Port{1}, builder.add_adapter("node 1 #a", 1), Port{1});
  builder.connect(leaf, Port{2}, builder.add_adapter("node 2", 1), Port{1});
  const Model model(builder.build());
  const AdapterNames names(model);
  std::istringstream in("\"node 1 #a\" \"node 2\" 1/2 # half\n  \"node 2\" 0\n");
  const Traffic traffic = parse_traffic(in, "t.txt", names).stage(0);
  ASSERT_EQ(traffic.flows.size(), 2U);
  EXPECT_EQ(index(traffic.flows[0].source), 0U);
  EXPECT_EQ(traffic.amount(traffic.flows[0]), Fraction(1, 2));
  EXPECT_EQ(index(traffic.flows[1].source), 1U);
  EXPECT_EQ(as_word("node 1 #a"), "\"node 1 #a\"");
  EXPECT_EQ(as_word("H1[2]"), "H1[2]");
}

TEST(Traffic, BadInput) {
  EXPECT_NE(message("storm", 8).find("the patterns are: permutation"), std::string::npos);
  EXPECT_NE(message("uniform", 8).find("expected uniform:P"), std::string::npos);
  EXPECT_NE(message("uniform:2", 8).find("0 to 1"), std::string::npos);
  EXPECT_NE(message("shift:8", 8).find("every host would send to itself"), std::string::npos);
  EXPECT_NE(message("hotspot:8", 8).find("0 to 7"), std::string::npos);
  EXPECT_NE(message("file:/does/not/exist", 8).find("No such file"), std::string::npos);
  EXPECT_EQ(
      file_message("0 1 1\n2 99 1\n"),
      "t.txt:2:3: there is no counted host \"99\": expected a name, a GUID (0x..) or 0 to 15");
  EXPECT_EQ(file_message("H1 1 1\n"), "t.txt:1:4: \"H1\" sends to itself");
  EXPECT_EQ(file_message("\n0 1 -2\n"), "t.txt:2:5: the amount -2 is negative");
  EXPECT_NE(file_message("0 1 2 3\n").find("t.txt:1:7: expected"), std::string::npos);
  EXPECT_EQ(file_message("0\n").find("t.txt:1:1: expected"), 0U);
  EXPECT_EQ(file_message("0 \"H1 1\n"), "t.txt:1:3: expected '\"' to end this name");
  EXPECT_EQ(file_message("\"H0\"x 1\n"), "t.txt:1:5: expected a blank after '\"'");
  EXPECT_EQ(file_message("# silence\n").find("t.txt: no traffic"), 0U);
  EXPECT_NE(file_message("0 1 1/0\n").find("denominator"), std::string::npos);
}

}  // namespace
}  // namespace fatwood
