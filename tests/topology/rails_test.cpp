// SPDX-License-Identifier: BSD-3-Clause
// Machines, rails and units: against plans whose faults are known, and against what was counted by
// hand on two real fabrics.

#include "topology/hosts/rails.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "io/fabric/load_fabric.hpp"
#include "io/fabric/spec.hpp"
#include "support/rail_fabric.hpp"
#include "support/real_fabrics.hpp"
#include "support/sketch.hpp"

namespace fatwood {
namespace {

using test::leaf_name;
using test::rail_fabric;
using test::RailPlan;
using test::switch_named;

std::vector<RailFinding> of_kind(const Rails& rails, RailFault kind) {
  std::vector<RailFinding> found;
  std::copy_if(rails.findings.begin(), rails.findings.end(), std::back_inserter(found),
               [&](const RailFinding& finding) { return finding.kind == kind; });
  return found;
}

TEST(DeviceName, AllStyles) {
  const auto host = [](std::string_view text) { return described_adapter(text).host; };
  const auto device = [](std::string_view text) { return described_adapter(text).device; };
  EXPECT_EQ(host("luna-0129 mlx5_3"), "luna-0129");
  EXPECT_EQ(host("selene-cache-02 mlx5_1 "), "selene-cache-02");
  EXPECT_EQ(host("a05-c01 HCA-5"), "a05-c01");
  EXPECT_EQ(host("node3"), "node3");
  EXPECT_EQ(host("gpu7 ibp139s0f1"), "gpu7");
  EXPECT_EQ(host("n hfi1_0"), "n");
  EXPECT_EQ(host("n qib1"), "n");
  EXPECT_EQ(host("n rocep1s0f0"), "n");
  EXPECT_EQ(host("MT4129 ConnectX7   Mellanox Technologies"), "");
  EXPECT_EQ(host("MT25408 ConnectX Mellanox Technologies"), "");
  EXPECT_EQ(host("Mellanox Technologies Aggregation Node"), "");
  EXPECT_EQ(host(""), "");
  EXPECT_EQ(device("x HCA-5"), device("x mlx5_4"));
  EXPECT_EQ(device("x mlx4_0"), (Device{"#", {0}}));
  EXPECT_LT(device("x ibp21s0"), device("x ibp139s0"));
  EXPECT_FALSE(device("node3").known());
  EXPECT_TRUE(described_adapter("localhost HCA-6").stock);
  EXPECT_FALSE(described_adapter("localhost7 HCA-6").stock);
}

TEST(Hosts, OneForEachHostOfATree) {
  const Fabric fabric = make_fabric("ft(8,3)");
  const HostMap hosts = map_hosts(fabric);
  EXPECT_EQ(hosts.hosts.size(), fabric.num_adapters());
  EXPECT_FALSE(hosts.rails.any());
  EXPECT_TRUE(hosts.rails.findings.empty());
  EXPECT_TRUE(hosts.hosts.shared_names().empty());
}

TEST(Rails, WholeUnits) {
  for (const bool split : {false, true}) {
    const Fabric fabric = rail_fabric({.units = 3, .hosts = 6, .spines_of_one_rail = split});
    const HostMap hosts = map_hosts(fabric);
    ASSERT_EQ(hosts.hosts.size(), 18U);
    ASSERT_EQ(hosts.rails.count(), 4U);
    ASSERT_EQ(hosts.rails.units.size(), 3U);
    EXPECT_TRUE(hosts.rails.findings.empty());
    EXPECT_EQ(hosts.rails.device[Rail{2}], "mlx5_2");
    for (unsigned u = 0; u < 3; ++u) {
      const RailUnit& unit = hosts.rails.units[static_cast<ScalableUnit>(u)];
      ASSERT_EQ(unit.members.size(), 6U);
      EXPECT_TRUE(unit.guests.empty());
      for (unsigned r = 0; r < 4; ++r) {
        EXPECT_EQ(unit.leaf[static_cast<Rail>(r)], switch_named(fabric, leaf_name(u, r)));
      }
    }
    EXPECT_EQ(hosts.rails.pods, 1U);
    EXPECT_EQ(hosts.rails.planes, 1U);
    EXPECT_EQ(hosts.rails.between_units.most, 3U);
    EXPECT_EQ(hosts.rails.between_rails.least, split ? 5U : 3U);
    EXPECT_EQ(hosts.rails.spines_of_one_rail, split ? 16U : 0U);
    const auto luna = hosts.hosts.called("host2-03");
    ASSERT_EQ(luna.size(), 1U);
    EXPECT_EQ(hosts.hosts.adapters(luna[0]).size(), 4U);
    EXPECT_EQ(hosts.rails.member_of[luna[0]], ScalableUnit{1});
  }
}

TEST(Rails, MissingCrossedAndExchanged) {
  RailPlan plan;
  plan.absent = {{0, 2, 1}};                // host1-03 lacks rail 2
  plan.swapped = {{{1, 0, 2}, {1, 0, 3}},   // host2-01: rails 3 and 4 crossed
                  {{2, 1, 0}, {2, 4, 0}}};  // host3-02 and host3-05 on rail 1
  const Fabric fabric = rail_fabric(plan);
  const HostMap hosts = map_hosts(fabric);
  const Rails& rails = hosts.rails;
  ASSERT_EQ(rails.findings.size(), 4U);
  const auto missing = of_kind(rails, RailFault::kAdapterMissing);
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(hosts.hosts.name(missing[0].host), "host1-03");
  EXPECT_EQ(missing[0].expected, switch_named(fabric, leaf_name(0, 1)));
  const auto crossed = of_kind(rails, RailFault::kCrossed);
  ASSERT_EQ(crossed.size(), 2U);
  EXPECT_EQ(hosts.hosts.name(crossed[0].host), "host2-01");
  EXPECT_EQ(crossed[0].found, switch_named(fabric, leaf_name(1, 3)));
  EXPECT_EQ(crossed[0].expected, switch_named(fabric, leaf_name(1, 2)));
  EXPECT_EQ(crossed[1].found, crossed[0].expected);
  EXPECT_EQ(crossed[1].expected, crossed[0].found);
  const auto exchanged = of_kind(rails, RailFault::kExchanged);
  ASSERT_EQ(exchanged.size(), 1U);
  // Reported from the side of the lower number.
  const bool from_02 = hosts.hosts.name(exchanged[0].host) == "host3-02";
  EXPECT_EQ(hosts.hosts.name(exchanged[0].host), from_02 ? "host3-02" : "host3-05");
  EXPECT_EQ(hosts.hosts.name(exchanged[0].other), from_02 ? "host3-05" : "host3-02");
  EXPECT_EQ(exchanged[0].found, switch_named(fabric, leaf_name(2, 0)));
  EXPECT_EQ(exchanged[0].usual_port, from_02 ? Port{2} : Port{5});
}

TEST(Rails, AbsentLeafKeepsTheOtherRailsNumbers) {
  RailPlan plan;
  plan.no_leaf = {{0, 2}};
  const HostMap hosts = map_hosts(rail_fabric(plan));
  ASSERT_EQ(hosts.rails.count(), 4U);
  const RailUnit& unit = hosts.rails.units[ScalableUnit{0}];
  EXPECT_EQ(unit.leaf[Rail{2}], kNone<Switch>);
  EXPECT_NE(unit.leaf[Rail{3}], kNone<Switch>);
  EXPECT_EQ(unit.members.size(), 6U);
  ASSERT_EQ(hosts.rails.findings.size(), 1U);
  EXPECT_EQ(hosts.rails.findings[0].kind, RailFault::kLeafMissing);
  EXPECT_EQ(hosts.rails.findings[0].rail, Rail{2});
}

TEST(Rails, StorageLeafIsNoRail) {
  const Fabric fabric = rail_fabric({.storage_leaf = true});
  const HostMap hosts = map_hosts(fabric);
  EXPECT_EQ(hosts.rails.count(), 4U);
  EXPECT_EQ(hosts.rails.units.size(), 3U);
  EXPECT_EQ(hosts.rails.use[switch_named(fabric, "storage")], LeafUse::kStorage);
  EXPECT_TRUE(hosts.rails.findings.empty());
}

// Unnamed adapters go by their port, and through an exchange with a named machine.
TEST(Rails, LooseAdaptersArePlaced) {
  RailPlan plan;
  const std::string factory = "MT4129 ConnectX7   Mellanox Technologies";
  for (unsigned r = 0; r < 4; ++r) {
    plan.descriptions[{0, 1, r}] = factory;  // all of host 2
    plan.descriptions[{1, 3, r}] = "localhost mlx5_" + std::to_string(r);
    plan.descriptions[{2, 3, r}] = "localhost mlx5_" + std::to_string(r);
  }
  plan.descriptions[{0, 4, 2}] = factory;   // one of host1-05
  plan.swapped = {{{0, 1, 3}, {0, 5, 3}}};  // the unnamed and host1-06 on rail 4
  const Fabric fabric = rail_fabric(plan);
  const HostMap hosts = map_hosts(fabric);
  EXPECT_EQ(hosts.hosts.size(), 18U);
  for (const Host m : ids<Host>(hosts.hosts.size())) {
    EXPECT_EQ(hosts.hosts.adapters(m).size(), 4U) << hosts.hosts.name(m);
  }
  EXPECT_EQ(hosts.hosts.called("unit1-port2").size(), 1U);
  EXPECT_EQ(hosts.hosts.called("localhost").size(), 2U);
  EXPECT_EQ(hosts.hosts.shared_names(), std::vector<std::string>{"localhost"});
  ASSERT_EQ(hosts.rails.findings.size(), 1U);
  EXPECT_EQ(hosts.rails.findings[0].kind, RailFault::kExchanged);
}

TEST(Rails, TwoMachinesOfOneName) {
  RailPlan plan;
  for (unsigned r = 0; r < 4; ++r) {
    plan.descriptions[{0, 1, r}] = "twin mlx5_" + std::to_string(r);
    plan.descriptions[{2, 4, r}] = "twin mlx5_" + std::to_string(r);
  }
  const HostMap hosts = map_hosts(rail_fabric(plan));
  ASSERT_EQ(hosts.hosts.called("twin").size(), 2U);
  EXPECT_EQ(hosts.rails.member_of[hosts.hosts.called("twin")[0]], ScalableUnit{0});
  EXPECT_EQ(hosts.rails.member_of[hosts.hosts.called("twin")[1]], ScalableUnit{2});
}

TEST(Rails, EightAdaptersOnOneLeafAreNoRails) {
  Fabric fabric = test::sketch("L1:16 L2:16 L3:16 S1 L1-S1*4 L2-S1*4 L3-S1*4");
  Names names;
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    names.push_back(fabric.is_switch(node) ? std::string(fabric.id(node))
                                           : "gpu" + std::to_string(index(node) / 8) + " ibp" +
                                                 std::to_string(11 * (index(node) % 8)) + "s0");
  }
  const HostMap hosts = map_hosts(fabric.renamed(names));
  EXPECT_EQ(hosts.hosts.size(), 6U);
  EXPECT_FALSE(hosts.rails.any());
}

// What the dump of Selene's compute fabric has, counted by a script.
TEST(RealFabrics, SeleneRails) {
  if (!test::is_here("selene/selene.compute.txt")) return;
  const Fabric fabric = load_fabric(test::lifelike("selene/selene.compute.txt")).fabric;
  const HostMap hosts = map_hosts(fabric);
  EXPECT_EQ(hosts.hosts.size(), 469U);
  ASSERT_EQ(hosts.rails.count(), 8U);
  EXPECT_EQ(hosts.rails.units.size(), 25U);
  EXPECT_EQ(hosts.rails.pods, 4U);
  EXPECT_EQ(hosts.rails.planes, 1U);
  EXPECT_EQ(hosts.rails.device[Rail{4}], "mlx5_6");
  EXPECT_TRUE(hosts.rails.findings.empty());
  EXPECT_EQ(hosts.rails.between_rails.least, 5U);
  EXPECT_EQ(hosts.rails.between_rails.most, 5U);
  EXPECT_EQ(hosts.rails.spines_of_one_rail, hosts.rails.spines);
  std::size_t members = 0;
  for (const RailUnit& unit : hosts.rails.units) {
    members += unit.members.size();
    for (const Rail rail : ids<Rail>(8)) {
      // Their names end in the rail, which the method never reads.
      EXPECT_TRUE(display_name(fabric, fabric.node(unit.leaf[rail]))
                      .ends_with("-0" + std::to_string(index(rail) + 1)));
    }
  }
  EXPECT_EQ(members, 458U);
  EXPECT_EQ(std::count(hosts.rails.use.begin(), hosts.rails.use.end(), LeafUse::kManagement), 3);
}

TEST(RealFabrics, NdrRails) {
  if (!test::is_here("dgx-ndr/ibnetdiscover.txt")) return;
  const Fabric fabric = load_fabric(test::lifelike("dgx-ndr/ibnetdiscover.txt")).fabric;
  const HostMap hosts = map_hosts(fabric);
  const Rails& rails = hosts.rails;
  ASSERT_EQ(rails.count(), 4U);
  EXPECT_EQ(rails.units.size(), 8U);
  const auto missing_leaf = of_kind(rails, RailFault::kLeafMissing);
  ASSERT_EQ(missing_leaf.size(), 1U);
  EXPECT_EQ(missing_leaf[0].rail, Rail{2});
  EXPECT_EQ(rails.units[missing_leaf[0].unit].members.size(), 18U);
  const auto crossed = of_kind(rails, RailFault::kCrossed);
  ASSERT_EQ(crossed.size(), 2U);
  EXPECT_EQ(hosts.hosts.name(crossed[0].host), "b08-p1-dgx-08-c01");
  EXPECT_EQ(crossed[1].host, crossed[0].host);
  EXPECT_EQ(of_kind(rails, RailFault::kExchanged).size(), 4U);
  EXPECT_TRUE(of_kind(rails, RailFault::kOffPort).empty());
  std::size_t nameless = 0;
  std::size_t members = 0;
  for (const Host m : ids<Host>(hosts.hosts.size())) {
    if (hosts.hosts.named_by(m) == NamedBy::kPosition) ++nameless;
    if (rails.member_of[m] != kNone<ScalableUnit>) ++members;
    // On these boards the second adapter has the first one's GUID plus 4: a check by other means
    // that adapters are placed in the right machine.
    const auto adapters = hosts.hosts.adapters(m);
    std::map<Rail, std::uint64_t> guid;
    for (const Terminal t : terminals_of(fabric, hosts.hosts, m)) {
      guid[rails.rail(fabric, t)] = fabric.guid(fabric.adapter_node(t));
    }
    if (guid.contains(Rail{0}) && guid.contains(Rail{1})) {
      EXPECT_EQ(guid[Rail{0}] + 4, guid[Rail{1}]) << hosts.hosts.name(m);
    }
    EXPECT_LE(adapters.size(), 4U);
  }
  EXPECT_EQ(nameless, 19U);  // 17 on ports of their own, two that were exchanged with named ones
  for (const RailUnit& unit : rails.units) members -= unit.members.size();
  EXPECT_EQ(members, 0U);
  std::set<std::string_view> guests;
  for (const Host m : rails.units[ScalableUnit{7}].guests) guests.insert(hosts.hosts.name(m));
  EXPECT_EQ(guests, (std::set<std::string_view>{"B11-P1-CUFM-02", "ubuntu"}));
}

}  // namespace
}  // namespace fatwood
