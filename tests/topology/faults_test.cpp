// SPDX-License-Identifier: BSD-3-Clause
// Faults by name, level, number and share; what is left is the same fabric otherwise.

#include "topology/change/faults.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "io/fabric/spec.hpp"
#include "support/input_error.hpp"
#include "support/shuffle.hpp"
#include "topology/builder.hpp"
#include "topology/graph/component_fabric.hpp"

namespace fatwood {
namespace {

FaultRequest cut(std::string text) { return {FaultKind::kCut, std::move(text), {}}; }
FaultRequest gone(std::string text) { return {FaultKind::kRemove, std::move(text), {}}; }

Fabric broken(const Fabric& fabric, std::vector<FaultRequest> orders, FaultOptions options = {}) {
  return with_faults(fabric, find_faults(fabric, orders, options));
}

std::string error_of(const Fabric& fabric, const FaultRequest& order) {
  return test::input_error_of([&] { broken(fabric, {order}); });
}

// Each cable as its two port names with GUIDs and rate: what must survive faults and shuffles.
std::multiset<std::string> cables(const Fabric& fabric) {
  std::multiset<std::string> all;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c) || fabric.peer(c) < c) continue;
    std::set<std::string> ends;
    for (const Channel end : {c, fabric.peer(c)}) {
      ends.insert(port_name(fabric, end) + std::to_string(fabric.guid(fabric.owner(end))) +
                  to_string(fabric.rate(end)));
    }
    all.insert(*ends.begin() + " " + *ends.rbegin());
  }
  return all;
}

std::size_t components(const Fabric& fabric) {
  std::vector<std::uint32_t> root(fabric.num_nodes());
  for (std::uint32_t i = 0; i < root.size(); ++i) root[i] = i;
  const auto find = [&](std::uint32_t i) {
    while (root[i] != i) i = root[i];
    return i;
  };
  std::size_t count = root.size();
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c)) continue;
    const std::uint32_t a = find(index(fabric.owner(c)));
    const std::uint32_t b = find(index(fabric.neighbour(c)));
    if (a != b) {
      root[a] = b;
      --count;
    }
  }
  return count;
}

TEST(Faults, ByName) {
  const Fabric fabric = make_fabric("xgft(2;4,8;1,4)");
  const Fabric left = broken(fabric, {cut("S1_0[2]"), cut("H5"), gone("S2_3")});
  EXPECT_EQ(left.num_switches(), fabric.num_switches() - 1);
  EXPECT_EQ(left.num_adapters(), fabric.num_adapters());
  EXPECT_EQ(left.num_terminals(), fabric.num_terminals() - 1);
  EXPECT_EQ(left.num_cables(), fabric.num_cables() - 1 - 1 - 8);
  EXPECT_FALSE(left.tree());
  for (const std::string& cable : cables(left)) EXPECT_TRUE(cables(fabric).contains(cable));
  // The same cable by its other end, and a switch by its GUID.
  EXPECT_EQ(broken(fabric, {cut("S2_1[1]")}), broken(fabric, {cut("S1_0[2]")}));
  EXPECT_EQ(broken(fabric, {gone("0x20000000000008")}), broken(fabric, {gone("S2_0")}));
  // Twice is once.
  EXPECT_EQ(broken(fabric, {gone("S2_0"), gone("S2_0"), cut("S2_0")}),
            broken(fabric, {gone("S2_0")}));
}

TEST(Faults, NoneLeavesTheFabricAsItIs) {
  const Fabric fabric = make_fabric("ft(4,2)");
  EXPECT_EQ(broken(fabric, {}), fabric);
  EXPECT_TRUE(broken(fabric, {}).tree());
  // An order that takes nothing builds the same fabric again.
  ResolvedFaults one = find_faults(fabric, std::vector{cut("S1_0[1]")});
  EXPECT_FALSE(with_faults(fabric, one) == fabric);
}

TEST(Faults, AddressesRatesAndDescriptionsStay) {
  FabricBuilder builder;
  const auto a = builder.add_switch("S-1", 4, 0xa);
  const auto b = builder.add_switch("S-2", 4, 0xb);
  const auto r = builder.add(NodeKind::kRouter, "R-1", 1, 0xc);
  const auto h = builder.add_adapter("H-1", 2, 0xd);
  builder.set_description(a, "MF0;leaf7:MQM8700/U1");
  builder.set_hardware(b, {1, 2, 3});
  builder.set_address(a, kOwnPort, {.guid = 0xa, .lid = Lid{7}, .lmc = 0, .enhanced = true});
  builder.set_address(h, Port{2}, {.guid = 0xdd, .lid = Lid{9}, .lmc = 2});
  builder.connect(a, Port{1}, b, Port{3}, {4, Speed::kHdr});
  builder.connect(a, Port{2}, b, Port{4}, {1, Speed::kSdr});
  builder.connect(r, Port{1}, a, Port{3});
  builder.connect(h, Port{2}, b, Port{1}, {2, Speed::kNdr});
  const Fabric fabric = builder.build();
  const Fabric left = broken(fabric, {cut("leaf7[2]")});
  EXPECT_EQ(left.num_cables(), 3U);
  EXPECT_EQ(left.description(left.node(Switch{0})), "MF0;leaf7:MQM8700/U1");
  EXPECT_EQ(left.hardware(left.node(Switch{1})), (Hardware{1, 2, 3}));
  EXPECT_EQ(left.kind(Node{0}), NodeKind::kRouter);
  EXPECT_EQ(left.address(Switch{0}), fabric.address(Switch{0}));
  ASSERT_EQ(left.num_terminals(), 2U);
  EXPECT_EQ(left.address(Terminal{1}).lid, Lid{9});
  EXPECT_EQ(left.rate(left.terminal_channel(Terminal{1})), (Rate{2, Speed::kNdr}));
  EXPECT_EQ(left.port(left.terminal_channel(Terminal{1})), Port{2});
}

TEST(Faults, ByLevelAndNumber) {
  const Fabric fabric = make_fabric("xgft(3;4,4,8;1,4,4)");
  EXPECT_EQ(broken(fabric, {cut("@2-3")}).num_cables(), 128U * 2);
  EXPECT_EQ(broken(fabric, {cut("@3-2")}).num_cables(), 128U * 2);
  EXPECT_EQ(broken(fabric, {gone("@3")}).num_switches(), 64U);
  const Fabric left = broken(fabric, {cut("25%@1-2")});
  EXPECT_EQ(left.num_cables(), 128U * 3 - 32);
  for (const Switch s : ids<Switch>(80)) {
    if (index(s) < 64) continue;  // the top is whole
    for (const Channel c : left.channels(left.node(s))) EXPECT_TRUE(left.connected(c));
  }
  EXPECT_EQ(broken(fabric, {cut("10@0-1")}).num_terminals(), 118U);
  EXPECT_EQ(broken(fabric, {gone("2@3"), gone("3@1")}).num_switches(), 75U);
  // 5% of the 256 cables between switches; terminals keep theirs.
  const Fabric degraded = broken(fabric, {cut("5%")});
  EXPECT_EQ(degraded.num_cables(), 128U * 3 - 13);
  EXPECT_EQ(degraded.num_terminals(), 128U);
  EXPECT_EQ(broken(fabric, {cut("2.5%")}).num_cables(), 128U * 3 - 6);
}

TEST(Faults, SeedDecidesAndRepeats) {
  const Fabric fabric = make_fabric("xgft(3;4,4,8;1,4,4)");
  EXPECT_EQ(broken(fabric, {cut("9")}, {.seed = 3}), broken(fabric, {cut("9")}, {.seed = 3}));
  EXPECT_FALSE(broken(fabric, {cut("9")}, {.seed = 3}) == broken(fabric, {cut("9")}, {.seed = 4}));
  // Two orders of one seed draw differently.
  EXPECT_EQ(broken(fabric, {cut("9"), cut("9")}).num_cables(), 128U * 3 - 18);
}

TEST(Faults, ConnectionIsKeptWhenAsked) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Fabric fabric = make_fabric("random(12,24,seed=" + std::to_string(seed) + ")");
    const FaultOptions kept{seed, Connection::kKept};
    EXPECT_EQ(components(broken(fabric, {cut("13")}, kept)), 1U);
    const Fabric tree = broken(fabric, {cut("13")}, kept);
    EXPECT_EQ(tree.num_cables() - tree.num_terminals(), 11U);
    EXPECT_THROW(broken(fabric, {cut("14")}, kept), PromiseError);
    const Fabric fat = make_fabric("ft(4,3)");
    EXPECT_EQ(components(broken(fat, {gone("3"), cut("4")}, kept)), 1U);
  }
  // Switches with terminals can't go that way.
  EXPECT_THROW(broken(make_fabric("ring(5)"), {gone("1")}, {1, Connection::kKept}), PromiseError);
  EXPECT_EQ(broken(make_fabric("ring(5,terminals=0)"), {gone("1")}, {1, Connection::kKept})
                .num_switches(),
            4U);
}

TEST(Faults, WrongOrdersSayWhatIsWrong) {
  const Fabric fabric = make_fabric("xgft(2;4,8;1,4)");
  const std::pair<FaultRequest, std::string_view> kCases[] = {
      {cut("S9_9"), "no node is called \"S9_9\""},
      {cut("S1_0[99]"), "its ports are 1 to 8"},
      {cut("S1_0[0]"), "there is no cable at S1_0[0]"},
      {gone("S1_0[1]"), "it can be cut, not removed"},
      {cut("@2-5"), "no level 5"},
      {gone("@1-2"), "one level"},
      {cut("33"), "33 cables are asked for; there are 32"},
      {gone("13"), "there are 12"},
      {cut(""), "expected what"},
      {cut("0xfff"), "no node is called"},
      {cut("5%@x"), "no node is called"},
      {cut("200%"), "64 cables are asked for; there are 32"},
  };
  for (const auto& [order, message] : kCases) {
    EXPECT_NE(error_of(fabric, order).find(message), std::string::npos)
        << order.text << ": " << error_of(fabric, order);
  }
}

TEST(Shuffle, KeepsEverythingButNumbers) {
  const Fabric fabric = make_fabric("switch648+racks");
  const Fabric other = test::shuffled(fabric, 7);
  EXPECT_FALSE(other.tree());
  EXPECT_FALSE(other == fabric);
  EXPECT_EQ(other, test::shuffled(fabric, 7));
  EXPECT_EQ(other.num_cables(), fabric.num_cables());
  // Who is joined to whom, by id, and how often.
  const auto joined = [](const Fabric& f) {
    std::map<std::pair<std::string, std::string>, unsigned> count;
    for (const Channel c : ids<Channel>(f.num_channels())) {
      if (f.connected(c)) {
        ++count[{std::string(f.id(f.owner(c))), std::string(f.id(f.neighbour(c)))}];
      }
    }
    return count;
  };
  EXPECT_EQ(joined(other), joined(fabric));
  std::map<std::string_view, std::uint64_t> guid;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    guid[fabric.id(fabric.adapter_node(t))] = fabric.address(t).guid;
  }
  for (const Terminal t : ids<Terminal>(other.num_terminals())) {
    EXPECT_EQ(other.address(t).guid, guid[other.id(other.adapter_node(t))]);
  }
}

// Two planes, with hosts whose first port is in the one or the other.
TEST(ComponentFabric, HasTheCablesOfThePartAndKnowsWhoIsWho) {
  const Fabric whole =
      broken(make_fabric("xgft(2;3,2;2,2)"), {cut("H1[1]"), cut("H4[2]"), gone("S2_3")});
  const Components components = connected_components(port_graph(whole));
  ASSERT_EQ(components.count, 2U);
  std::multiset<std::string> both;
  std::size_t terminals = 0;
  for (std::uint32_t p = 0; p < components.count; ++p) {
    const ComponentFabric component = component_fabric(whole, components, p);
    both.merge(cables(component.fabric));
    terminals += component.terminals.size();
    ASSERT_EQ(component.switches.size(), component.fabric.num_switches());
    ASSERT_EQ(component.terminals.size(), component.fabric.num_terminals());
    for (const Switch s : ids<Switch>(component.switches.size())) {
      EXPECT_EQ(component.fabric.id(component.fabric.node(s)),
                whole.id(whole.node(component.switches[s])));
    }
    for (const Terminal t : ids<Terminal>(component.terminals.size())) {
      EXPECT_EQ(port_name(component.fabric, component.fabric.terminal_channel(t)),
                port_name(whole, whole.terminal_channel(component.terminals[t])));
      EXPECT_EQ(component.fabric.address(t), whole.address(component.terminals[t]));
    }
  }
  EXPECT_EQ(both, cables(whole));
  EXPECT_EQ(terminals, whole.num_terminals());
}

}  // namespace
}  // namespace fatwood
