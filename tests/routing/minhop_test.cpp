// SPDX-License-Identifier: BSD-3-Clause
// minhop: shortest, balanced, and spread over the addresses of a terminal.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "oracle/routes.hpp"
#include "routing/engine.hpp"
#include "support/small_fabrics.hpp"

namespace fatwood {
namespace {

// Destinations of terminals that each port of a switch carries.
std::map<Port, unsigned> port_use(const Fabric& fabric, const Routing& routing, Switch s,
                                  const std::vector<Terminal>& terminals) {
  std::map<Port, unsigned> use;
  for (const Terminal t : terminals) {
    if (fabric.leaf(t) != s) ++use[routing.tables.at(routing.tables.destination(t), s)];
  }
  return use;
}

std::vector<Terminal> all_terminals(const Fabric& fabric) {
  const auto all = ids<Terminal>(fabric.num_terminals());
  return {all.begin(), all.end()};
}

TEST(Minhop, TakesShortestPaths) {
  for (const std::string_view name : test::small_fabric_names()) {
    const Fabric fabric = test::small_fabric(std::string(name));
    for (const unsigned lmc : {0U, 1U, 3U}) {
      const Routing routing = route(find_engine("minhop"), Model(fabric), {.lmc = lmc});
      EXPECT_EQ(oracle::look_at_routes(fabric, routing).longer, 0U) << name;
    }
  }
}

TEST(Minhop, LeavesOfAWholeTreeUseTheirUpPortsEvenly) {
  const Fabric fabric = test::small_fabric("ft(8,2)");
  const Routing routing = route(find_engine("minhop"), Model(fabric));
  for (const Switch leaf : ids<Switch>(8)) {
    for (const auto& [port, count] : port_use(fabric, routing, leaf, all_terminals(fabric))) {
      EXPECT_EQ(count, 7U) << "port " << index(port);  // 28 terminals elsewhere, 4 up-ports
    }
  }
}

TEST(Minhop, EachDestinationTakesTheLeastUsedPortInOrder) {
  const Fabric fabric = test::small_fabric("random 20, 60");
  std::vector<Terminal> order = all_terminals(fabric);
  std::ranges::reverse(order);
  const Routing routing = route(find_engine("minhop"), Model(fabric), {.order = order});
  // Replays the rule from the hop counts of the walks themselves.
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    std::map<Port, unsigned> count;
    for (const Terminal t : order) {
      const Destination destination = routing.tables.destination(t);
      if (fabric.leaf(t) == s) continue;
      const std::size_t left = oracle::walk(fabric, routing, s, destination).channels.size();
      Port best = kNoRoute;
      for (const Channel c : fabric.channels(fabric.node(s))) {
        if (!fabric.connected(c) || !fabric.is_switch(fabric.neighbour(c))) continue;
        const Switch next = fabric.as_switch(fabric.neighbour(c));
        if (oracle::walk(fabric, routing, next, destination).channels.size() + 1 != left) continue;
        if (best == kNoRoute || count[fabric.port(c)] < count[best]) best = fabric.port(c);
      }
      EXPECT_EQ(routing.tables.at(destination, s), best);
      ++count[best];
    }
  }
}

TEST(Minhop, UncountedTerminalsDoNotDisturbTheRest) {
  const Fabric fabric = test::small_fabric("ft(8,2)");
  std::vector<Terminal> uncounted;
  std::vector<Terminal> counted;
  for (const Terminal t : all_terminals(fabric))
    (index(t) % 4 == 1 ? uncounted : counted).push_back(t);
  const Routing routing = route(find_engine("minhop"), Model(fabric, {.uncounted = uncounted}));
  for (const Switch leaf : ids<Switch>(8)) {
    for (const auto* some : {&uncounted, &counted}) {
      unsigned least = ~0U;
      unsigned most = 0;
      const auto use = port_use(fabric, routing, leaf, *some);
      for (const auto& [port, count] : use) {
        least = std::min(least, count);
        most = std::max(most, count);
      }
      EXPECT_EQ(use.size(), 4U);
      EXPECT_LE(most - least, 1U);
    }
  }
}

TEST(Minhop, AddressesOfATerminalLeaveByDifferentNeighbours) {
  // Four spines; and two with four cables to each leaf, of which a port alone would take one spine.
  for (const auto& [name, lmc] : {std::pair{"ft(8,2)", 2U}, {"pgft(2;4,8;1,2;1,4)", 1U}}) {
    const Fabric fabric = test::small_fabric(name);
    const Routing routing = route(find_engine("minhop"), Model(fabric), {.lmc = lmc});
    for (const Switch leaf : ids<Switch>(8)) {
      for (const Terminal t : all_terminals(fabric)) {
        if (fabric.leaf(t) == leaf) continue;
        std::set<Node> spines;
        for (std::uint32_t offset = 0; offset < 1U << lmc; ++offset) {
          const auto path =
              oracle::walk(fabric, routing, leaf, routing.tables.destination(t, offset));
          spines.insert(fabric.neighbour(path.channels[0]));
        }
        EXPECT_EQ(spines.size(), std::size_t{1} << lmc);
      }
    }
  }
}

TEST(Minhop, AddressesOfAllTerminalsAreEvenOverPorts) {
  for (const char* const name : {"ft(8,2)", "pgft(2;4,8;1,2;1,4)"}) {
    const Fabric fabric = test::small_fabric(name);
    const Routing routing = route(find_engine("minhop"), Model(fabric), {.lmc = 1});
    for (const Switch leaf : ids<Switch>(8)) {
      std::map<Port, unsigned> use;
      for (const Terminal t : all_terminals(fabric)) {
        if (fabric.leaf(t) == leaf) continue;
        for (const std::uint32_t offset : {0U, 1U}) {
          ++use[routing.tables.at(routing.tables.destination(t, offset), leaf)];
        }
      }
      EXPECT_EQ(use.size(), fabric.ports(fabric.node(leaf)) - 4);
      const auto [least, most] = std::minmax_element(
          use.begin(), use.end(), [](auto& a, auto& b) { return a.second < b.second; });
      EXPECT_LE(most->second - least->second, 2U);
    }
  }
}

}  // namespace
}  // namespace fatwood
