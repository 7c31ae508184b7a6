// SPDX-License-Identifier: BSD-3-Clause
// mload and Gb/s of all-to-all: the figures that verbs share, compared with link_loads path by
// path.

#include "analysis/load/all_to_all.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "analysis/load/link_load.hpp"
#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "topology/builder.hpp"
#include "topology/flow_sources.hpp"

namespace fatwood {
namespace {

constexpr Rate kEdr{4, Speed::kEdr};
constexpr Rate kHdr{4, Speed::kHdr};
constexpr Rate kDdr{4, Speed::kDdr};

// The same fabric with other rates.
Fabric with_rates(const Fabric& fabric, const std::function<Rate(Channel)>& rate) {
  FabricBuilder builder;
  Table<Node, FabricBuilder::Handle> handle(fabric.num_nodes());
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    handle[node] = copy_node(builder, fabric, node, fabric.guid(node), fabric.ports(node));
  }
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    const Channel d = fabric.peer(c);
    if (!fabric.connected(c) || d < c) continue;
    builder.connect(handle[fabric.owner(c)], fabric.port(c), handle[fabric.owner(d)],
                    fabric.port(d), rate(c));
  }
  return builder.build();
}

// Two rails, each a component: hosts 0 to 3 have a port on both, 4 on the first, 5 on the second
// alone, 6 has two on the first.
Fabric two_rails() {
  FabricBuilder builder;
  std::vector<FabricBuilder::Handle> leaves;
  for (const char* name : {"A0", "A1", "B0", "B1"}) leaves.push_back(builder.add_switch(name, 9));
  for (std::size_t rail = 0; rail < 2; ++rail) {
    const auto spine = builder.add_switch(rail == 0 ? "A" : "B", 4);
    for (std::uint32_t i = 0; i < 4; ++i) {
      builder.connect(leaves[2 * rail + i / 2], static_cast<Port>(8 + i % 2), spine,
                      static_cast<Port>(i + 1));
    }
  }
  const std::vector<std::vector<std::uint32_t>> ports = {{0, 2}, {0, 2}, {1, 3}, {1, 3},
                                                         {0},    {3},    {0, 1}};
  std::vector<std::uint32_t> next(4, 1);
  for (std::size_t h = 0; h < ports.size(); ++h) {
    const auto host = builder.add_adapter(fmt::format("h{}", h), 2);
    for (std::uint32_t i = 0; i < ports[h].size(); ++i) {
      builder.connect(host, static_cast<Port>(i + 1), leaves[ports[h][i]],
                      static_cast<Port>(next[ports[h][i]]++));
    }
  }
  return builder.build();
}

void expect_same(const Model& model, const Routing& routing, const std::string& what) {
  const auto paths = path_source(model, routing);
  const Traffic traffic = all_to_all(model.adapters().size());
  const LinkLoads loads = link_loads(model, *paths, traffic);
  const ChannelUse use = find_channel_use(model, routing);
  const MostLoaded most(model, use.units_in_one);
  for (const Channel c : ids<Channel>(model.fabric().num_channels())) {
    EXPECT_EQ(loads.load(c), most.load(c, static_cast<std::int64_t>(use.flows[c])))
        << what << ' ' << port_name(model.fabric(), c);
  }
  const AllToAllLoad result = all_to_all_load(model, routing);
  EXPECT_EQ(result.mload, max_load(loads)) << what;
  EXPECT_EQ(result.most_loaded, most_loaded(loads, 1).front().channel) << what;
}

TEST(AllToAll, IsWhatLinkLoadsSayOnEveryChannel) {
  for (const char* spec : {"ft(4,3)", "xgft(2;4,3;2,2)", "pgft(2;3,2;1,2;2,1)", "torus(3,3)"}) {
    const Fabric plain = make_fabric(spec);
    const Fabric mixed = with_rates(plain, [&](Channel c) {
      const bool host = !plain.is_switch(plain.owner(c)) || !plain.is_switch(plain.neighbour(c));
      if (host) return index(c) % 5 == 0 ? kHdr : kEdr;
      return index(c) % 3 == 0 ? kDdr : kEdr;
    });
    for (const Fabric* fabric : {&plain, &mixed}) {
      const Model model(*fabric);
      for (const unsigned lmc : {0U, 1U}) {
        expect_same(model, route(find_engine("updn+"), model, {.lmc = lmc}), spec);
      }
      expect_same(model, route(find_engine("ar_updn"), model), spec);
    }
  }
}

TEST(AllToAll, FlowsOfHostsOnSeveralRailsUseThePortsThatCablesConnect) {
  const Model model(two_rails());
  const ChannelUse use = find_channel_use(model, route(find_engine("updn+"), model));
  const Fabric& fabric = model.fabric();
  const MostLoaded most(model, use.units_in_one);
  const AdapterNames names(model);
  const auto out = [&](std::uint32_t host, std::uint32_t port) {
    const Adapter number = names.find(fmt::format("h{}", host));
    const Channel c = fabric.terminal_channel(model.adapters().terminals(number)[port]);
    return most.load(c, static_cast<std::int64_t>(use.flows[c]));
  };
  // h0 sends h1, h2, h3 a half by each port; all to h4 and h6's first port by the first, h5 by the
  // second; h6 has as many ports, and its second is not on the second rail.
  EXPECT_EQ(out(0, 0), Fraction(3, 2) + Fraction(2));
  EXPECT_EQ(out(0, 1), Fraction(3, 2) + Fraction(1));
  // h4 sends one flow to each of h0..h3, and half of one to each port of h6; h5 is out of reach.
  EXPECT_EQ(out(4, 0), Fraction(5));
  EXPECT_EQ(out(5, 0), Fraction(4));
  EXPECT_EQ(out(6, 0), Fraction(4) + Fraction(1, 2));
  EXPECT_EQ(out(6, 1), Fraction(1, 2));
}

TEST(AllToAll, GigabitsAreTheBottleneckRateOfTheWorstPair) {
  // Two leaves with three hosts each and one cable: 9 flows each way on it, 5 on a host link.
  const Fabric plain = make_fabric("xgft(2;3,2;1,1)");
  const Model equal(with_rates(plain, [](Channel) { return kEdr; }));
  const AllToAllLoad one = all_to_all_load(equal, route(find_engine("updn+"), equal));
  EXPECT_EQ(one.mload, 9);
  EXPECT_DOUBLE_EQ(one.gigabits, 5 * 100.0 / 9);
  // Faster cables between switches: the host links are the bottleneck.
  const Model faster(with_rates(plain, [&](Channel c) {
    return plain.is_switch(plain.owner(c)) && plain.is_switch(plain.neighbour(c)) ? kHdr : kEdr;
  }));
  const AllToAllLoad two = all_to_all_load(faster, route(find_engine("updn+"), faster));
  EXPECT_EQ(two.mload, 5);
  EXPECT_DOUBLE_EQ(two.gigabits, 100);
  // A slow host is the bottleneck of all pairs that it is part of.
  const Channel slow = plain.terminal_channel(Terminal{4});
  const Model slower(with_rates(
      plain, [&](Channel c) { return c == slow || plain.peer(c) == slow ? kDdr : kHdr; }));
  const AllToAllLoad three = all_to_all_load(slower, route(find_engine("updn+"), slower));
  EXPECT_EQ(three.mload, Fraction(5 * 200, 16));
  EXPECT_DOUBLE_EQ(three.gigabits, 16);
  // A rate that is not known.
  const Model unknown(with_rates(
      plain, [&](Channel c) { return c == slow || plain.peer(c) == slow ? Rate{} : kHdr; }));
  EXPECT_EQ(all_to_all_load(unknown, route(find_engine("updn+"), unknown)).gigabits, 0);
}

TEST(AllToAll, ManyNumbersOfPortsAreRoundedNotWrapped) {
  FabricBuilder builder;
  const auto sw = builder.add_switch("S", 254);
  const std::vector<std::uint32_t> primes = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  std::uint32_t next = 1;
  for (const std::uint32_t ports : primes) {
    const auto host = builder.add_adapter(fmt::format("h{}", ports), ports);
    for (std::uint32_t port = 1; port <= ports; ++port) {
      builder.connect(host, static_cast<Port>(port), sw, static_cast<Port>(next++));
    }
  }
  const Model model(builder.build());
  const FlowSources sources(model);
  EXPECT_FALSE(sources.exact());
  EXPECT_LE(sources.units_in_one() * primes.size(), 0x7fffffffU);
  const AllToAllLoad load = all_to_all_load(model, route(find_engine("updn+"), model));
  // A port of the host with two ports sends half of what it sends to each of the others.
  EXPECT_NEAR(load.mload.value(), 11.0 / 2, 1e-4);
  const Model few(make_fabric("pgft(2;3,2;1,2;2,1)"));
  EXPECT_TRUE(FlowSources(few).exact());
  EXPECT_EQ(FlowSources(few).units_in_one(), 2U);
}

TEST(AllToAll, EqualSpeedsAreTheUsualSpeedOfAdapters) {
  const Fabric plain = make_fabric("ft(4,2)");
  const Channel slow = plain.channel(plain.node(Switch{0}), Port{3});
  const Fabric mixed = with_rates(
      plain, [&](Channel c) { return c == slow || plain.peer(c) == slow ? kDdr : kEdr; });
  const Fabric equal = with_equal_speeds(mixed);
  for (const Channel c : ids<Channel>(equal.num_channels())) {
    if (!equal.connected(c)) continue;
    EXPECT_EQ(equal.rate(c), kEdr);
  }
  EXPECT_EQ(ChannelSpeeds(equal).usual_gigabits(), ChannelSpeeds(mixed).usual_gigabits());
}

}  // namespace
}  // namespace fatwood
