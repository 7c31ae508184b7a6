// SPDX-License-Identifier: BSD-3-Clause
// Differences that were put in by hand are found, each as what it is, and nothing else.

#include "topology/change/fabric_diff.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "io/fabric/spec.hpp"
#include "support/shuffle.hpp"
#include "topology/builder.hpp"
#include "topology/change/faults.hpp"
#include "topology/generate/tree.hpp"

namespace fatwood {
namespace {

struct Cable {
  std::string a;
  std::uint8_t pa;
  std::string b;
  std::uint8_t pb;
  Rate rate = kDefaultRate;
};

// Two leaves of two hosts under two spines; GUIDs by name, so that nodes can be exchanged.
struct Plan {
  std::map<std::string, std::uint64_t> guid = {{"H0", 0x100}, {"H1", 0x101}, {"H2", 0x102},
                                               {"H3", 0x103}, {"L0", 0x200}, {"L1", 0x201},
                                               {"S0", 0x202}, {"S1", 0x203}};
  std::map<std::string, std::string> called;
  std::map<std::string, Address> address;
  std::vector<Cable> cables = {{"H0", 1, "L0", 1}, {"H1", 1, "L0", 2}, {"H2", 1, "L1", 1},
                               {"H3", 1, "L1", 2}, {"L0", 3, "S0", 1}, {"L0", 4, "S1", 1},
                               {"L1", 3, "S0", 2}, {"L1", 4, "S1", 2}};

  Fabric build() const {
    FabricBuilder builder;
    std::map<std::string, FabricBuilder::Handle> node;
    for (const auto& [name, number] : guid) {
      node[name] = name[0] == 'H' ? builder.add_adapter(fmt::format("{:x}", number), 1, number)
                                  : builder.add_switch(fmt::format("{:x}", number), 8, number);
      const auto other = called.find(name);
      builder.set_description(node[name], other == called.end() ? name : other->second);
    }
    for (const Cable& c : cables)
      builder.connect(node[c.a], Port{c.pa}, node[c.b], Port{c.pb}, c.rate);
    for (const auto& [name, given] : address) {
      builder.set_address(node.at(name), name[0] == 'H' ? Port{1} : kOwnPort, given);
    }
    return builder.build();
  }
};

FabricDiff from_plan(const Plan& plan) {
  return diff_fabrics(Model(Plan().build()), Model(plan.build()));
}

TEST(FabricDiff, NothingDiffers) {
  EXPECT_TRUE(from_plan(Plan()).empty());
  const Fabric tree = make_fabric("ft(4,3)");
  EXPECT_TRUE(diff_fabrics(Model(tree), Model(tree)).empty());
}

TEST(FabricDiff, LidsThatChanged) {
  Plan before;
  before.address = {{"H0", {.lid = Lid{1}}}, {"H1", {.lid = Lid{2}}}, {"H2", {.lid = Lid{3}}},
                    {"L0", {.lid = Lid{5}}}, {"L1", {.lid = Lid{6}}}, {"S0", {.lid = Lid{7}}}};
  Plan after = before;
  std::swap(after.address["H0"], after.address["H2"]);
  after.address["H1"].lmc = 1;
  after.address["L1"].lid = Lid{9};
  after.address.erase("S0");               // not known now
  after.address["H3"] = {.lid = Lid{44}};  // not known before
  const FabricDiff diff = diff_fabrics(Model(before.build()), Model(after.build()));
  ASSERT_EQ(diff.lids.size(), 4U);
  EXPECT_EQ(diff.lids[0].port, kOwnPort);
  EXPECT_EQ(diff.lids[0].from.lid, Lid{6});
  EXPECT_EQ(diff.lids[0].to.lid, Lid{9});
  EXPECT_EQ(diff.lids[1].port, Port{1});
  EXPECT_EQ(diff.lids[1].to.lid, Lid{3});
  EXPECT_EQ(diff.lids[2].to.lmc, 1);
  EXPECT_EQ(diff.lids[3].to.lid, Lid{1});
  EXPECT_FALSE(diff.empty());
  EXPECT_TRUE(diff.lost.empty() && diff.added.empty() && diff.renamed.empty());
  EXPECT_TRUE(diff_fabrics(Model(before.build()), Model(before.build())).empty());
}

TEST(FabricDiff, LostAndNewCables) {
  Plan plan;
  plan.cables.pop_back();
  plan.cables.push_back({"L0", 5, "S0", 5});
  const FabricDiff diff = from_plan(plan);
  EXPECT_EQ(diff.lost.size(), 1U);
  EXPECT_EQ(diff.added.size(), 1U);
  EXPECT_TRUE(diff.moved.empty() && diff.swapped.empty() && diff.lost_nodes.empty());
}

TEST(FabricDiff, AHostThatMovedOnePort) {
  Plan plan;
  plan.cables[3].pb = 5;
  const Fabric after = plan.build();
  const FabricDiff diff = from_plan(plan);
  ASSERT_EQ(diff.moved.size(), 1U);
  EXPECT_TRUE(diff.lost.empty() && diff.added.empty() && diff.swapped.empty());
  EXPECT_EQ(after.port(after.peer(diff.moved[0].after)), Port{5});
}

TEST(FabricDiff, TwoCablesSwapped) {
  Plan plan;
  std::swap(plan.cables[4].b, plan.cables[5].b);
  const FabricDiff diff = from_plan(plan);
  EXPECT_EQ(diff.swapped.size(), 1U);
  EXPECT_TRUE(diff.lost.empty() && diff.added.empty() && diff.moved.empty());
}

TEST(FabricDiff, ASwitchReplacedRenamedAndASlowCable) {
  Plan plan;
  plan.guid["S1"] = 0x2ff;
  plan.called["L0"] = "leaf zero";
  plan.cables[6].rate = Rate{1, kDefaultRate.speed};
  const FabricDiff diff = from_plan(plan);
  EXPECT_EQ(diff.replaced.size(), 1U);
  EXPECT_EQ(diff.renamed.size(), 1U);
  EXPECT_EQ(diff.speeds.size(), 1U);
  EXPECT_TRUE(diff.lost.empty() && diff.added.empty() && diff.moved.empty());
  EXPECT_TRUE(diff.lost_nodes.empty() && diff.new_nodes.empty());
}

TEST(FabricDiff, ALostHostAndANewOne) {
  Plan plan;
  plan.guid.erase("H3");
  plan.cables.erase(plan.cables.begin() + 3);
  plan.guid["H9"] = 0x109;
  plan.cables.push_back({"H9", 1, "L0", 7});
  const FabricDiff diff = from_plan(plan);
  EXPECT_EQ(diff.lost_nodes.size(), 1U);
  EXPECT_EQ(diff.new_nodes.size(), 1U);
  EXPECT_EQ(diff.lost.size(), 1U);
  EXPECT_EQ(diff.added.size(), 1U);
}

TEST(FabricDiff, EveryCutCableIsToldOnce) {
  const Fabric tree = make_fabric("ft(8,3)");
  const std::vector<FaultRequest> orders = {{FaultKind::kCut, "5%", {}}};
  const Fabric cut = with_faults(tree, find_faults(tree, orders, {3, Connection::kMayBreak}));
  const FabricDiff diff = diff_fabrics(Model(tree), Model(cut));
  EXPECT_EQ(diff.lost.size(), tree.num_cables() - cut.num_cables());
  EXPECT_TRUE(diff.added.empty() && diff.moved.empty());
  const FabricDiff back = diff_fabrics(Model(cut), Model(tree));
  EXPECT_EQ(back.added.size(), diff.lost.size());
}

}  // namespace
}  // namespace fatwood
