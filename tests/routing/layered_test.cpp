// SPDX-License-Identifier: BSD-3-Clause
// sssp, dfsssp and lash: shortest, spread, and in as few lanes as they say. That they keep their
// promise on every fabric is in engines_test.cpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/error.hpp"
#include "core/random.hpp"
#include "io/fabric/spec.hpp"
#include "oracle/routes.hpp"
#include "routing/engine.hpp"
#include "routing/shortest/layers.hpp"
#include "routing/tables/source_groups.hpp"
#include "support/fabrics.hpp"
#include "support/small_fabrics.hpp"

namespace fatwood {
namespace {

TEST(Sssp, TakesShortestPaths) {
  for (const std::string_view name : test::small_fabric_names()) {
    const Fabric fabric = test::small_fabric(std::string(name));
    for (const std::string_view engine : {"sssp", "dfsssp", "lash"}) {
      const Routing routing = route(find_engine(engine), Model(fabric), {.max_lanes = 16});
      EXPECT_EQ(oracle::look_at_routes(fabric, routing).longer, 0U) << engine << " on " << name;
    }
  }
}

// Routes between terminals over each channel between switches.
std::map<Channel, unsigned> channel_use(const Fabric& fabric, const Routing& routing) {
  std::map<Channel, unsigned> use;
  for (const Terminal from : ids<Terminal>(fabric.num_terminals())) {
    for (const Terminal to : ids<Terminal>(fabric.num_terminals())) {
      const auto path =
          oracle::walk(fabric, routing, fabric.leaf(from), routing.tables.destination(to)).channels;
      for (std::size_t i = 0; i + 1 < path.size(); ++i) ++use[path[i]];
    }
  }
  return use;
}

TEST(Sssp, LoadsAWholeTreeEvenly) {
  const Fabric fabric = test::small_fabric("ft(8,2)");
  for (const auto& [channel, use] :
       channel_use(fabric, route(find_engine("sssp"), Model(fabric)))) {
    EXPECT_EQ(use, 28U) << port_name(fabric, channel);  // 4 terminals to 28, over 4 up-ports
  }
}

TEST(Sssp, EachDestinationTakesTheLightestPathInOrder) {
  const Fabric fabric = test::small_fabric("random 20, 60");
  const Routing routing = route(find_engine("sssp"), Model(fabric));
  std::map<Channel, unsigned> weight;
  std::vector<unsigned> hosts(fabric.num_switches());
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) ++hosts[index(fabric.leaf(t))];
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const Destination destination = routing.tables.destination(t);
    std::map<Channel, unsigned> gain;
    const auto sum = [&](const std::vector<Channel>& path) {
      unsigned total = 0;
      for (std::size_t i = 0; i + 1 < path.size(); ++i) total += weight[path[i]];
      return total;
    };
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      const auto path = oracle::walk(fabric, routing, s, destination).channels;
      // No neighbour on a path as short is lighter.
      for (const Channel c : fabric.channels(fabric.node(s))) {
        if (!fabric.connected(c) || !fabric.is_switch(fabric.neighbour(c))) continue;
        const auto other =
            oracle::walk(fabric, routing, fabric.as_switch(fabric.neighbour(c)), destination)
                .channels;
        if (other.size() + 1 == path.size()) {
          EXPECT_LE(sum(path), sum(other) + weight[c]);
        }
      }
      for (std::size_t i = 0; i + 1 < path.size(); ++i) gain[path[i]] += hosts[index(s)];
    }
    for (const auto& [channel, more] : gain) weight[channel] += more;
  }
}

TEST(Sssp, AddressesOfATerminalLeaveByDifferentNeighbours) {
  const Fabric fabric = test::small_fabric("ft(8,2)");
  for (const std::string_view engine : {"sssp", "dfsssp", "nue"}) {
    const Routing routing = route(find_engine(engine), Model(fabric), {.lmc = 2});
    for (const Switch leaf : ids<Switch>(8)) {
      for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
        if (fabric.leaf(t) == leaf) continue;
        std::set<Port> ports;
        for (std::uint32_t offset = 0; offset < 4; ++offset) {
          ports.insert(routing.tables.at(routing.tables.destination(t, offset), leaf));
        }
        EXPECT_EQ(ports.size(), 4U);
      }
    }
  }
}

TEST(Lanes, TooFewAreAnErrorThatSaysHowMany) {
  const Fabric fabric = test::small_fabric("grid 4x4 wrapped");
  for (const std::string_view engine : {"dfsssp", "lash"}) {
    std::string message;
    try {
      route(find_engine(engine), Model(fabric), {.max_lanes = 1});
    } catch (const PromiseError& error) {
      message = error.what();
    }
    const std::size_t at = message.find("needs ");
    ASSERT_NE(at, std::string::npos) << message;
    const auto count = static_cast<unsigned>(std::stoul(message.substr(at + 6)));
    EXPECT_GT(count, 1U);
    EXPECT_LE(route(find_engine(engine), Model(fabric), {.max_lanes = count}).lanes.count, count);
  }
}

TEST(Lanes, AreAllInUse) {
  for (const std::string_view name : test::small_fabric_names()) {
    const Fabric fabric = test::small_fabric(std::string(name));
    for (const std::string_view engine : {"dfsssp", "lash"}) {
      const Lanes lanes = route(find_engine(engine), Model(fabric), {.max_lanes = 16}).lanes;
      const std::set<std::uint8_t> used(lanes.lane.begin(), lanes.lane.end());
      if (lanes.single()) continue;
      EXPECT_EQ(used.size(), lanes.count) << engine << " on " << name;
      EXPECT_EQ(*used.rbegin() + 1U, lanes.count) << engine << " on " << name;
    }
  }
  std::vector<std::uint8_t> some{4, 0, 2, 4};
  EXPECT_EQ(drop_empty_lanes(some), 3U);
  EXPECT_EQ(some, (std::vector<std::uint8_t>{2, 0, 1, 2}));
}

TEST(Lanes, OfLashAreTheSameBothWays) {
  const Fabric fabric = test::small_fabric("grid 4x4 wrapped");
  const Routing routing = route(find_engine("lash"), Model(fabric));
  for (const Switch a : ids<Switch>(16)) {
    for (const Switch b : ids<Switch>(16)) {
      EXPECT_EQ(routing.lanes.at(routing.tables.destination(a), b),
                routing.lanes.at(routing.tables.destination(b), a));
    }
  }
}

// Adapters with ports on two switches: the file of SLs has one SL for all their ports.
TEST(Lanes, SwitchesOfOneAdapterShareThem) {
  std::size_t several = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const Fabric fabric = test::random_fabric(seed);
    const Model model(fabric);
    const SourceGroups groups(fabric, model.components());
    for (const std::string_view engine : {"dfsssp", "lash", "nue"}) {
      const Routing routing = route(find_engine(engine), model, {.max_lanes = 15});
      for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
        const Switch home = home_of(fabric, routing.tables, destination);
        if (home == kNone<Switch>) continue;
        for (const Switch s : ids<Switch>(fabric.num_switches())) {
          if (model.components().component[s] != model.components().component[home]) continue;
          for (const std::uint32_t other : groups.of(index(s))) {
            several += index(s) != other;
            ASSERT_EQ(routing.lanes.at(destination, s),
                      routing.lanes.at(destination, Switch{other}));
          }
        }
      }
    }
  }
  EXPECT_GT(several, 0U);
}

TEST(Lanes, TerminalsOfAWholeTreeNeedOne) {
  for (const std::string name : {"ft(4,3)", "ft(8,2)", "kary(2,4)"}) {
    const Fabric fabric = test::small_fabric(name);
    const Routing routing = route(find_engine("dfsssp"), Model(fabric));
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      for (const Switch s : ids<Switch>(fabric.num_switches())) {
        EXPECT_EQ(routing.lanes.at(routing.tables.destination(t), s), 0U);
      }
    }
  }
}

// A layer answers like a search of the whole graph after each wait.
TEST(Layer, RefusesExactlyWhatClosesACycle) {
  const Fabric fabric = test::small_fabric("random 14, 24");
  const LinkGraph links = link_graph(fabric, port_graph(fabric));
  Random random(5);
  for (int round = 0; round < 20; ++round) {
    const auto count = static_cast<std::uint32_t>(links.size());
    Layer layer(links, Table<Link, std::uint32_t>(random.permutation(count)), count);
    std::map<Link, std::set<Link>> dependencies;
    for (int i = 0; i < 400; ++i) {
      const Link a{random.below(count)};
      const IdRange<Link> further = links.of(links.to[a]);
      const Link b = further[random.below(further.size())];
      std::set<Link> reached{b};
      std::vector<Link> stack{b};
      while (!stack.empty()) {
        const Link at = stack.back();
        stack.pop_back();
        for (const Link next : dependencies[at]) {
          if (reached.insert(next).second) stack.push_back(next);
        }
      }
      const bool closes = reached.contains(a);
      EXPECT_EQ(layer.add(a, b), !closes);
      if (!closes) dependencies[a].insert(b);
    }
  }
}

// After its limit of visits a layer may refuse what closes no cycle, but accepts nothing that does,
// and each search visits few links.
TEST(Layer, SearchesAreShortAfterManyVisits) {
  const LinkGraph links = [] {
    const Fabric fabric = make_fabric("torus(8,8,8)");
    return link_graph(fabric, port_graph(fabric));
  }();
  const auto count = static_cast<std::uint32_t>(links.size());
  constexpr std::uint64_t kMost = 20'000;
  Random random(9);
  Layer layer(links, Table<Link, std::uint32_t>(random.permutation(count)), count, kMost);
  Layer whole(links, layer.positions(), count);
  std::uint64_t refused = 0;
  for (int i = 0; i < 40'000; ++i) {
    const Link a{random.below(count)};
    const IdRange<Link> further = links.of(links.to[a]);
    const Link b = further[random.below(further.size())];
    const std::uint64_t before = layer.visits();
    if (layer.add(a, b)) {
      EXPECT_TRUE(whole.add(a, b)) << "closes a cycle";
      EXPECT_LT(layer.positions()[a], layer.positions()[b]);
    } else {
      ++refused;
    }
    layer.commit();
    whole.commit();
    if (before > kMost) {
      EXPECT_LE(layer.visits() - before, 2 * Layer::kLittleEffort + 16);
    }
  }
  EXPECT_GT(layer.visits(), 2 * kMost);
  EXPECT_GT(refused, 0U);
}

}  // namespace
}  // namespace fatwood
