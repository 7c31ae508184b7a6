// SPDX-License-Identifier: BSD-3-Clause
// Fabrics of rails: cables against the arithmetic of rail_fabric.hpp, faults against the whole
// fabric, and the machines against the counts of their models.

#include "topology/generate/rail_fabric.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/error.hpp"
#include "io/fabric/spec.hpp"
#include "topology/generate/lifelike.hpp"
#include "topology/hosts/aggregation.hpp"
#include "topology/model.hpp"
#include "topology/recognise/recognition.hpp"

namespace fatwood {
namespace {

// Both ends of each cable by name and port, with its rate.
using Cable = std::tuple<std::string, Port, std::string, Port, std::string>;
std::set<Cable> cables(const Fabric& fabric) {
  std::set<Cable> all;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c) ||
        fabric.is_switch(fabric.owner(c)) < fabric.is_switch(fabric.neighbour(c)))
      continue;
    const Node a = fabric.owner(c);
    const Node b = fabric.neighbour(c);
    if (fabric.description(b).find("Aggregation") != std::string_view::npos) continue;
    if (fabric.is_switch(b) && display_name(fabric, b) < display_name(fabric, a)) continue;
    all.emplace(display_name(fabric, a), fabric.port(c), display_name(fabric, b),
                fabric.port(fabric.peer(c)), to_string(fabric.rate(c)));
  }
  return all;
}
std::size_t different(const Fabric& a, const Fabric& b) {
  const std::set<Cable> in_a = cables(a);
  const std::set<Cable> in_b = cables(b);
  std::vector<Cable> only;
  std::ranges::set_difference(in_a, in_b, std::back_inserter(only));
  return only.size();
}

Node named(const Fabric& fabric, const std::string& name) {
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    if (display_name(fabric, node) == name) return node;
  }
  ADD_FAILURE() << "no " << name;
  return Node{0};
}
// Names of the switches that a node is cabled to, with how many cables.
std::map<std::string, unsigned> joined(const Fabric& fabric, const std::string& name) {
  std::map<std::string, unsigned> count;
  const Node node = named(fabric, name);
  for (const Channel c : fabric.channels(node)) {
    if (!fabric.connected(c) || !fabric.is_switch(fabric.neighbour(c))) continue;
    ++count[std::string(display_name(fabric, fabric.neighbour(c)))];
  }
  return count;
}

TEST(RailFabric, TwoLevelsShareTheSpines) {
  const Fabric fabric = make_fabric("rails(units=3,hosts=5,rails=4,spines=2,cables=3)");
  EXPECT_EQ(fabric.num_switches(), 3U * 4 + 2);
  EXPECT_EQ(fabric.num_adapters(), 3U * 5 * 4 + fabric.num_switches());
  EXPECT_EQ(fabric.num_cables(), fabric.num_adapters() + 3U * 4 * 2 * 3);
  EXPECT_EQ(joined(fabric, "LEAF02-3"),
            (std::map<std::string, unsigned>{{"SPINE-01", 3}, {"SPINE-02", 3}}));
  EXPECT_EQ(Model(fabric).recognition().summary, "This is pgft(2;5,12;1,2;1,3).");
}

TEST(RailFabric, SpinesOfThreeLevelsServeOneRailAndMeetAtCores) {
  const Fabric fabric =
      make_fabric("rails(units=6,pods=2,hosts=4,rails=2,spines=2,cables=2,cores=3,speed=200)");
  EXPECT_EQ(fabric.num_switches(), 6U * 2 + 2 * 2 * 2 + 2 * 3);
  EXPECT_EQ(joined(fabric, "LEAF05-2"),  // unit 5 is in pod 2; spines 3 and 4 serve rail 2
            (std::map<std::string, unsigned>{{"SPINE2-03", 2}, {"SPINE2-04", 2}}));
  EXPECT_EQ(joined(fabric, "SPINE2-04"), (std::map<std::string, unsigned>{{"LEAF04-2", 2},
                                                                          {"LEAF05-2", 2},
                                                                          {"LEAF06-2", 2},
                                                                          {"CORE-004", 1},
                                                                          {"CORE-005", 1},
                                                                          {"CORE-006", 1}}));
  EXPECT_EQ(joined(fabric, "CORE-004"),
            (std::map<std::string, unsigned>{
                {"SPINE1-02", 1}, {"SPINE1-04", 1}, {"SPINE2-02", 1}, {"SPINE2-04", 1}}));
  EXPECT_EQ(Model(fabric).recognition().summary, "This is pgft(3;4,3,4;1,2,3;1,2,1).");
}

TEST(RailFabric, AHostHasTheSameSocketOnAllRails) {
  const Fabric fabric = make_fabric("rails(missing_hosts=20,unnamed=3)");
  std::map<std::string, std::set<Port>> sockets;
  std::map<std::string, std::set<std::string>> leaves;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const std::string name(fabric.description(fabric.adapter_node(t)));
    if (!name.starts_with("node-")) continue;
    const std::string host = name.substr(0, name.find(' '));
    sockets[host].insert(fabric.leaf_port(t));
    leaves[host].emplace(display_name(fabric, fabric.node(fabric.leaf(t))));
  }
  EXPECT_EQ(sockets.size(), 4U * 32 - 20 - 3);
  for (const auto& [host, ports] : sockets) EXPECT_EQ(ports.size(), 1U) << host;
  for (const auto& [host, on] : leaves) EXPECT_EQ(on.size(), 8U) << host;
}

TEST(RailFabric, GuidsOfSwitchesAscendAndLidsAreDifferent) {
  for (const char* spec : {"like-x5", "like-stage", "like-dgx-ndr", "rails(units=2,storage=3)"}) {
    const Fabric fabric = make_fabric(spec);
    for (std::uint32_t s = 1; s < fabric.num_switches(); ++s) {
      EXPECT_GT(fabric.guid(fabric.node(Switch{s})), fabric.guid(fabric.node(Switch{s - 1})));
    }
    std::set<Lid> lids;
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      lids.insert(fabric.address(t).lid);
    }
    for (const Switch s : ids<Switch>(fabric.num_switches())) lids.insert(fabric.address(s).lid);
    EXPECT_EQ(lids.size(), fabric.num_terminals() + fabric.num_switches()) << spec;
    EXPECT_FALSE(lids.contains(kNoLid)) << spec;
  }
}

TEST(RailFabric, AggregationNodesAreInsideEverySwitchOrNone) {
  const auto count = [](const char* spec) {
    const Fabric fabric = make_fabric(spec);
    return std::pair(std::ranges::count(aggregation_terminals(fabric), 1), fabric.num_switches());
  };
  const auto [inside, switches] = count("rails(units=2)");
  EXPECT_EQ(static_cast<std::size_t>(inside), switches);
  EXPECT_EQ(count("rails(units=2,sharp=0)").first, 0);
}

struct FaultCase {
  const char* options;
  std::size_t cables_lost;   // of the whole fabric
  std::size_t cables_added;  // that it has not
};
class RailsFaults : public testing::TestWithParam<FaultCase> {};

TEST_P(RailsFaults, ChangeAsManyCablesAsAsked) {
  const std::string base = "rails(units=3,hosts=6,rails=4,spines=4,cables=2";
  const Fabric whole = make_fabric(base + ")");
  const auto [options, lost, added] = GetParam();
  const Fabric odd = make_fabric(base + "," + options + ")");
  EXPECT_EQ(different(whole, odd), lost);
  EXPECT_EQ(different(odd, whole), added);
  EXPECT_TRUE(odd == make_fabric(base + "," + options + ")"));
  // Another seed takes others, of the same number.
  const Fabric other = make_fabric(base + ",seed=7," + options + ")");
  EXPECT_EQ(different(whole, other), lost);
  EXPECT_NE(cables(odd), cables(other));
}
INSTANTIATE_TEST_SUITE_P(
    Kinds, RailsFaults,
    testing::Values(FaultCase{"missing_cables=5", 5, 0}, FaultCase{"missing_hosts=2", 2 * 4, 0},
                    FaultCase{"missing_leaves=1", 6 + 8, 0}, FaultCase{"crossed_cables=3", 6, 6},
                    FaultCase{"crossed_hosts=2", 4, 4}, FaultCase{"swapped_hosts=2", 4, 4},
                    FaultCase{"slow_cables=4", 4, 4}, FaultCase{"slow_hosts=5", 5, 5},
                    FaultCase{"unnamed=2", 8, 8}));

TEST(RailFabric, OneKindOfFaultLeavesTheOthersWhereTheyWere) {
  const Fabric one = make_fabric("rails(missing_cables=9)");
  const Fabric two = make_fabric("rails(missing_cables=9,crossed_hosts=1,unnamed=0)");
  EXPECT_EQ(different(one, two), 2U);
}

TEST(RailFabric, ManagementHangsOffSpinesAndCores) {
  const Fabric fabric = make_fabric(
      "rails(units=2,pods=2,hosts=4,rails=2,spines=2,cores=4,speed=200,management=2,"
      "core_management=1,spine_hosts=1,leaf_hosts=1,storage=2)");
  EXPECT_EQ(joined(fabric, "MLEAF-01"), (std::map<std::string, unsigned>{{"SPINE1-04", 2}}));
  EXPECT_EQ(joined(fabric, "MLEAF-02"), (std::map<std::string, unsigned>{{"SPINE1-02", 2}}));
  EXPECT_EQ(joined(fabric, "MLEAF-03"), (std::map<std::string, unsigned>{{"MSPINE-01", 4}}));
  EXPECT_EQ(joined(fabric, "MSPINE-01"),
            (std::map<std::string, unsigned>{{"MLEAF-03", 4}, {"CORE-001", 2}, {"CORE-002", 2}}));
  EXPECT_EQ(joined(fabric, "storage-01 mlx5_0"),
            (std::map<std::string, unsigned>{{"MLEAF-01", 1}, {"MLEAF-02", 1}}));
  EXPECT_EQ(joined(fabric, "gateway-01 mlx5_0"),
            (std::map<std::string, unsigned>{{"SPINE2-04", 1}}));
  EXPECT_EQ(joined(fabric, "service-01 mlx5_0"),
            (std::map<std::string, unsigned>{{"LEAF02-2", 1}}));
}

// The published H100 machine of four units, and one of sixteen with cores.
TEST(RailFabric, PublishedSizes) {
  const Fabric four = make_fabric("rails");
  EXPECT_EQ(four.num_switches(), 32U + 16);
  EXPECT_EQ(four.num_cables() - four.num_switches(), 1024U + 1024);
  EXPECT_EQ(Model(four).recognition().summary, "This is pgft(2;32,32;1,16;1,2) (an RLFT).");
}

TEST(RailFabric, RefusesWithWhatWasExpected) {
  const auto refuses = [](const char* spec, std::string_view message) {
    try {
      make_fabric(spec);
      ADD_FAILURE() << spec;
    } catch (const InputError& error) {
      EXPECT_NE(std::string_view(error.what()).find(message), std::string_view::npos)
          << error.what();
    }
  };
  refuses("rails(units=0)", "units=0; expected 1 or more");
  refuses("rails(units=5)", "a spine needs 80 sockets; a switch has 64");
  refuses("rails(hosts=33)", "a leaf needs 65 sockets");
  refuses("rails(pods=2)", "pods= needs cores=1 or more");
  refuses("rails(speed=300)", "expected 100, 200, 400 or 800");
  refuses("rails(ports=254)", "expected 253 at most");
  refuses("rails(missing_hosts=129)", "missing_hosts=129; there are only 128");
  refuses("rails(units=1,hosts=1,rails=1,spines=1,crossed_cables=1)", "there are only 0");
  refuses("rails(management=1)", "all 64 sockets of \"MF0;SPINE-16:MQM9700/U1\" are in use");
  refuses("rails(wheels=1)", "wheels= is not known");
  refuses("like-x5(seed=1)", "seed= is not known");
}

// Counts of the models, which shared notes and their files have; hosts are adapters.
TEST(Lifelike, IsCloseToItsModel) {
  struct Model {
    const char* spec;
    double switches, adapters, links;
  };
  for (const auto& [spec, switches, adapters, links] : {Model{"like-selene", 666, 4341, 12852},
                                                        {"like-dgx-ndr", 40, 582, 1114},
                                                        {"like-x5", 11, 89, 159},
                                                        {"like-stage", 8, 144, 192}}) {
    const Fabric fabric = make_fabric(spec);
    EXPECT_EQ(static_cast<double>(fabric.num_switches()), switches) << spec;
    EXPECT_NEAR(static_cast<double>(fabric.num_adapters()), adapters, 0.01 * adapters) << spec;
    EXPECT_NEAR(static_cast<double>(fabric.num_cables()), links, 0.01 * links) << spec;
  }
}

TEST(Lifelike, OptionsChangeAMachine) {
  EXPECT_EQ(Model(make_fabric("like-dgx-ndr(missing_cables=0,missing_leaves=0,missing_hosts=0,"
                              "crossed_hosts=0,leaf_hosts=0)"))
                .recognition()
                .summary,
            "This is pgft(2;18,32;1,9;1,2).");
}

}  // namespace
}  // namespace fatwood
