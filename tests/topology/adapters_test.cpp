// SPDX-License-Identifier: BSD-3-Clause
// Counted adapters: hosts of one and of several ports, without aggregation nodes, and the one model
// that says so to traffic, loads and kernels.

#include "topology/adapters.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/load/channel_use.hpp"
#include "analysis/load/link_load.hpp"
#include "analysis/permutations/permutation_load.hpp"
#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "routing/tables/path_source.hpp"
#include "topology/builder.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {
namespace {

// Two leaves under two spines, two hosts per leaf, and an aggregation node inside every switch.
Fabric with_aggregation() {
  FabricBuilder builder;
  std::vector<FabricBuilder::Handle> switches;
  for (const char* name : {"L0", "L1", "S0", "S1"}) switches.push_back(builder.add_switch(name, 5));
  for (std::uint32_t i = 0; i < 4; ++i) {
    const auto adapter = builder.add_adapter(fmt::format("H{}", i), 1);
    builder.connect(adapter, Port{1}, switches[i / 2], static_cast<Port>(1 + i % 2));
  }
  for (std::uint32_t i = 0; i < 4; ++i) {
    const auto node = builder.add_adapter(fmt::format("A{}", i), 1);
    builder.set_description(node, "Mellanox Technologies Aggregation Node");
    builder.connect(node, Port{1}, switches[i], Port{5});
  }
  for (std::uint32_t leaf = 0; leaf < 2; ++leaf) {
    for (std::uint32_t spine = 0; spine < 2; ++spine) {
      builder.connect(switches[leaf], static_cast<Port>(3 + spine), switches[2 + spine],
                      static_cast<Port>(1 + leaf));
    }
  }
  return builder.build();
}

TEST(Adapters, AggregationNodesAreNoneUnlessAskedFor) {
  const Fabric fabric = with_aggregation();
  const Model model(fabric);
  ASSERT_EQ(model.adapters().size(), 4U);
  EXPECT_TRUE(model.adapters().one_port_each());
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    EXPECT_EQ(model.adapters().sends(t), fabric.id(fabric.adapter_node(t)).starts_with('H'));
  }
  const Model all(fabric, {.aggregation = Aggregation::kCounted});
  EXPECT_EQ(all.adapters().size(), 8U);
}

TEST(Adapters, EveryViewCountsTheSameFlows) {
  for (const Aggregation aggregation : {Aggregation::kExcluded, Aggregation::kCounted}) {
    const Model model(with_aggregation(), {.aggregation = aggregation});
    const Routing routing = route(find_engine("updn+"), model);
    const auto paths = path_source(model, routing);
    ASSERT_EQ(paths->num_adapters(), model.adapters().size());
    const LinkLoads loads = link_loads(model, *paths, all_to_all(model.adapters().size()));
    const ChannelUse use = find_channel_use(model, routing);
    const Fabric& fabric = model.fabric();
    for (const Channel c : ids<Channel>(fabric.num_channels())) {
      if (!fabric.connected(c) || !fabric.is_switch(fabric.owner(c))) continue;
      EXPECT_EQ(loads.load(c), Fraction(static_cast<std::int64_t>(use.flows[c]))) << index(c);
    }
  }
}

TEST(Adapters, OfSeveralPortsIsOneSenderThatSharesOverThem) {
  for (const char* spec : {"xgft(2;4,3;2,2)", "pgft(2;3,2;1,2;2,1)", "pgft(1;4;1;3)"}) {
    const Model model(make_fabric(spec));
    const Adapters& adapters = model.adapters();
    ASSERT_EQ(adapters.size(), model.fabric().num_adapters()) << spec;
    EXPECT_FALSE(adapters.one_port_each());
    EXPECT_EQ(AdapterNames(model).find("H1"), Adapter{1});
    EXPECT_EQ(AdapterNames(model).find("H1[2]"), Adapter{1});
    for (const char* engine : {"minhop", "updn+", "sssp", "sftree", "even"}) {
      const Routing routing = route(find_engine(engine), model);
      const auto paths = path_source(model, routing);
      EXPECT_EQ(paths->tables(), nullptr) << "a kernel of one port a host must not be taken";
      const LinkLoads loads = link_loads(model, *paths, all_to_all(adapters.size()));
      const ChannelUse use = find_channel_use(model, routing);
      const Fabric& fabric = model.fabric();
      for (const Adapter adapter : ids<Adapter>(adapters.size())) {
        Fraction sent = 0;
        for (const Terminal t : adapters.terminals(adapter))
          sent += loads.load(fabric.terminal_channel(t));
        EXPECT_EQ(sent, Fraction(static_cast<std::int64_t>(adapters.size() - 1))) << spec;
      }
      for (const Channel c : ids<Channel>(fabric.num_channels())) {
        if (!fabric.connected(c) || !fabric.is_switch(fabric.owner(c))) continue;
        EXPECT_EQ(loads.load(c), Fraction(static_cast<std::int64_t>(use.flows[c]),
                                          static_cast<std::int64_t>(use.units_in_one)))
            << spec << ' ' << engine;
      }
    }
  }
}

TEST(Adapters, PortsPairUpWhereTheyAreAsMany) {
  FabricBuilder builder;
  const auto sw = builder.add_switch("S", 8);
  std::uint32_t next = 1;
  for (const std::uint32_t ports : {2U, 2U, 3U}) {
    const auto adapter = builder.add_adapter(fmt::format("H{}", next), ports);
    for (std::uint32_t port = 1; port <= ports; ++port)
      builder.connect(adapter, static_cast<Port>(port), sw, static_cast<Port>(next++));
  }
  const Fabric fabric = builder.build();
  const Adapters adapters(fabric);
  ASSERT_EQ(adapters.size(), 3U);
  const auto aligned = adapters.port_pairs(Adapter{0}, Adapter{1});
  ASSERT_EQ(aligned.size(), 2U);
  EXPECT_EQ(aligned[1], std::pair(Terminal{1}, Terminal{3}));
  EXPECT_EQ(adapters.port_pairs(Adapter{0}, Adapter{2}).size(), 6U);
}

}  // namespace
}  // namespace fatwood
