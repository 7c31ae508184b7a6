// SPDX-License-Identifier: BSD-3-Clause
// A fabric file means the same with its lines in another order: records, ports within a record,
// lines of a list.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/random.hpp"
#include "io/base/input.hpp"
#include "io/fabric/ibnetdiscover.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/fabric/spec.hpp"
#include "support/fabrics.hpp"
#include "support/real_fabrics.hpp"

namespace fatwood {
namespace {

using Lines = std::vector<std::string>;

Fabric read(std::string_view text) {
  Input input(text, "net");
  return read_fabric(input).fabric;
}

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

template <class T>
std::vector<T> shuffled(const std::vector<T>& list, std::uint64_t seed) {
  std::vector<T> result;
  for (const std::uint32_t i : Random(seed).permutation(static_cast<std::uint32_t>(list.size()))) {
    result.push_back(list[i]);
  }
  return result;
}

// Records of ibnetdiscover's and ibsim's form in random order, and so the ports of each.
std::string records_anyhow(const std::string& text, std::uint64_t seed) {
  std::vector<std::pair<Lines, Lines>> records(1);  // what is before the ports, and these
  for (const std::string& line : lines_of(text)) {
    if (line.empty()) {
      records.emplace_back();
    } else if (!line.starts_with('#')) {
      (line.starts_with('[') ? records.back().second : records.back().first).push_back(line);
    }
  }
  std::string result = "# Topology file: in another order\n";
  for (const auto& [head, ports] : shuffled(records, seed)) {
    for (const std::string& line : head) result += line + "\n";
    for (const std::string& line : shuffled(ports, seed + 1)) result += line + "\n";
    result += "\n";
  }
  return result;
}

std::string written(void (*write)(std::ostream&, const Fabric&), const Fabric& fabric) {
  std::ostringstream out;
  write(out, fabric);
  return out.str();
}

TEST(OrderOfLines, CountsForNothing) {
  std::vector<Fabric> fabrics;
  for (const std::string spec : {"ft(4,3)", "xgft(2;4,3;2,2)", "switch648+racks", "torus(3,3)"}) {
    fabrics.push_back(make_fabric(spec));
  }
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    fabrics.push_back(test::random_fabric(seed, 10));
  }
  for (const Fabric& fabric : fabrics) {
    for (const auto write : {write_ibnetdiscover, write_ibsim}) {
      const std::string text = written(write, fabric);
      const Fabric straight = read(text);
      ASSERT_EQ(straight.num_cables(), fabric.num_cables());
      EXPECT_TRUE(read(records_anyhow(text, 5)) == straight);
      EXPECT_TRUE(read(records_anyhow(text, 6)) == straight);
    }
  }
}

TEST(OrderOfLines, CountsForNothingInLifelikeFabrics) {
  for (const char* const formula : {"like-stage", "like-x5", "like-dgx-ndr", "like-selene"}) {
    const std::string text = written(write_ibnetdiscover, make_fabric(formula));
    EXPECT_TRUE(read(records_anyhow(text, 1)) == read(text)) << formula;
  }
  for (const std::string& path :
       test::here({"stage/ibnetdiscover.txt", "x5/X5.topofile", "dgx-ndr/ibnetdiscover.txt",
                   "selene/selene.compute.txt"})) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    EXPECT_TRUE(read(records_anyhow(text.str(), 1)) == load_fabric(path).fabric) << path;
  }
}

// Without any GUID nodes are known by their names: H2 comes before H10, S1_9 before S2_0.
TEST(OrderOfLines, NamesStandInForGuids) {
  const Fabric fabric = make_fabric("ft(8,3)");
  std::string bare;
  for (const std::string& line : lines_of(written(write_ibsim, fabric))) {
    if (line.find("guid=") == std::string::npos) bare += line + "\n";
  }
  ASSERT_LT(bare.size(), written(write_ibsim, fabric).size());
  for (const std::uint64_t seed : {1U, 2U}) {
    const Fabric found = read(records_anyhow(bare, seed));
    ASSERT_EQ(found.num_nodes(), fabric.num_nodes());
    for (const Node node : ids<Node>(fabric.num_nodes())) {
      EXPECT_EQ(found.id(node), fabric.id(node));
      EXPECT_EQ(found.guid(node), fabric.guid(node));
    }
  }
}

TEST(OrderOfLines, TwoWordsOnTheRateOfACable) {
  const std::string a = "Switch 4 \"a\"\n[1] \"b\"[1] # \"b\" lid 0 ";
  const std::string b = "Switch 4 \"b\"\n[1] \"a\"[1] # \"a\" lid 0 ";
  const auto rate = [&](const std::string& text) {
    const Fabric fabric = read(text);
    return to_string(fabric.rate(fabric.channel(fabric.node(Switch{0}), Port{1})));
  };
  EXPECT_EQ(rate(a + "4xHDR\n\n" + b + "2xHDR\n"), "2xHDR");
  EXPECT_EQ(rate(b + "2xHDR\n\n" + a + "4xHDR\n"), "2xHDR");
  EXPECT_EQ(rate(a + "4xHDR\n\n" + b + "\n"), "4xHDR");
  EXPECT_EQ(rate(b + "\n\n" + a + "4xHDR\n"), "4xHDR");
}

}  // namespace
}  // namespace fatwood
