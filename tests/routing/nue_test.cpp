// SPDX-License-Identifier: BSD-3-Clause
// nue: any number of lanes will do, paths stay short, and a way out is left at every impasse. That
// it keeps its promise with many lanes on every fabric is in engines_test.cpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/random.hpp"
#include "io/fabric/spec.hpp"
#include "oracle/routes.hpp"
#include "routing/engine.hpp"
#include "routing/shortest/lane_tree.hpp"
#include "support/small_fabrics.hpp"

namespace fatwood {
namespace {

Routing nue(const Fabric& fabric, unsigned lanes, unsigned lmc = 0) {
  return route(find_engine("nue"), Model(fabric), {.lmc = lmc, .max_lanes = lanes});
}

TEST(Nue, KeepsItsPromiseWithAnyNumberOfLanes) {
  for (const std::string_view name : test::small_fabric_names()) {
    const Fabric fabric = test::small_fabric(std::string(name));
    for (const unsigned lanes : {1U, 2U, 3U, 4U, 8U}) {
      SCOPED_TRACE(std::string(name) + ", lanes: " + std::to_string(lanes));
      const Routing routing = nue(fabric, lanes, lanes == 3 ? 1 : 0);
      const oracle::RouteFindings found = oracle::look_at_routes(fabric, routing);
      EXPECT_EQ(found.missing_terminal + found.missing_switch + found.loops, 0U);
      EXPECT_GT(found.routes, 0U);
      EXPECT_TRUE(found.deadlock_free);
      EXPECT_LE(routing.lanes.count, lanes);
      EXPECT_EQ(found.lanes, routing.lanes.count);
    }
  }
}

struct Paths {
  double mean_hops = 0;        // between hosts
  double detour = 0;           // beyond minhop's
  std::uint64_t max_load = 0;  // routes between hosts over one channel
};

Paths look_at_paths(const Fabric& fabric, const Routing& routing) {
  const Routing minhop = route(find_engine("minhop"), Model(fabric));
  Paths paths;
  double pairs = 0;
  std::map<Channel, std::uint64_t> use;
  for (const Terminal from : ids<Terminal>(fabric.num_terminals())) {
    for (const Terminal to : ids<Terminal>(fabric.num_terminals())) {
      const auto hops = [&](const Routing& by) {
        return oracle::walk(fabric, by, fabric.leaf(from), by.tables.destination(to)).channels;
      };
      const std::vector<Channel> path = hops(routing);
      for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        paths.max_load = std::max(paths.max_load, ++use[path[i]]);
      }
      paths.mean_hops += static_cast<double>(path.size() - 1);
      paths.detour += static_cast<double>(path.size()) - static_cast<double>(hops(minhop).size());
      ++pairs;
    }
  }
  paths.mean_hops /= pairs;
  paths.detour /= pairs;
  return paths;
}

TEST(Nue, TakesShortestPathsOnWholeTreesInOneLane) {
  for (const std::string name : {"ft(4,3)", "ft(8,2)", "kary(2,4)", "xgft(3;2,3,4;1,2,2)"}) {
    const Fabric fabric = test::small_fabric(name);
    EXPECT_EQ(look_at_paths(fabric, nue(fabric, 1)).detour, 0.0) << name;
  }
}

TEST(Nue, LoadsAWholeTreeEvenly) {
  const Fabric fabric = test::small_fabric("ft(8,2)");
  EXPECT_EQ(look_at_paths(fabric, nue(fabric, 1)).max_load, 28U);
}

// Bounds that other choices of root, order or lanes were seen to break.
TEST(Nue, StaysShortAndEvenOffTrees) {
  struct Bound {
    const char* spec;
    unsigned lanes;
    double detour;
    std::uint64_t max_load;
  };
  for (const Bound& bound : {Bound{"torus(5,5)", 1, 0.2, 45}, Bound{"torus(5,5)", 4, 0.01, 20},
                             Bound{"torus(4,4,4)", 1, 0.1, 75}, Bound{"torus(4,4,4)", 4, 0.0, 50},
                             Bound{"random(16,32,seed=3001)", 1, 0.06, 30},
                             Bound{"random(16,32,seed=3001)", 4, 0.0, 28}}) {
    const Fabric fabric = make_fabric(bound.spec);
    const Paths paths = look_at_paths(fabric, nue(fabric, bound.lanes));
    EXPECT_LE(paths.detour, bound.detour) << bound.spec << ", lanes: " << bound.lanes;
    EXPECT_LE(paths.max_load, bound.max_load) << bound.spec << ", lanes: " << bound.lanes;
  }
}

TEST(Nue, OneLaneIsTheSameAtAnyNumberOfThreads) {
  const Model model(test::small_fabric("grid 4x4 wrapped"));
  const Routing one = route(find_engine("nue"), model, {.max_lanes = 1, .threads = 1});
  const Routing three = route(find_engine("nue"), model, {.max_lanes = 1, .threads = 3});
  EXPECT_EQ(one.tables, three.tables);
}

struct Net {
  explicit Net(const Model& model)
      : links(link_graph(model.fabric(), model.port_graph())),
        hops(hop_counts(model.port_graph(), 1)),
        heights(height_above_hosts(model)),
        hosts(links.switches) {
    for (const Terminal t : ids<Terminal>(model.fabric().num_terminals())) {
      ++hosts[index(model.fabric().leaf(t))];
    }
  }
  LinkGraph links;
  std::vector<std::uint16_t> hops;
  Heights heights;
  std::vector<std::uint64_t> hosts;
};

TEST(EscapeTree, LeadsEverywhereWithoutACycle) {
  for (const std::string_view name : test::small_fabric_names()) {
    SCOPED_TRACE(name);
    const Model model(test::small_fabric(std::string(name)));
    const Net net(model);
    const EscapeTree tree(net.links, net.hops, net.heights, net.hosts);
    ASSERT_EQ(tree.roots().size(), 1U);
    if (net.heights.is_tree) {
      EXPECT_EQ(net.heights.of_switch[tree.roots()[0]], 1U);
    }
    Table<Link, std::uint32_t> position(net.links.size());
    for (const Link l : ids<Link>(position.size())) position[l] = index(l);
    Layer lane(net.links, position, position.size());
    tree.add_dependencies(lane);
    std::set<Link> cables;
    for (std::uint32_t d = 0; d < net.links.switches; ++d) {
      const std::vector<Link> next = tree.towards(d);
      for (std::uint32_t s = 0; s < net.links.switches; ++s) {
        std::uint32_t steps = 0;
        for (std::uint32_t at = s; at != d; ++steps) {
          ASSERT_LT(steps, net.links.switches);
          const std::uint32_t beyond = net.links.to[next[at]];
          cables.insert(std::min(next[at], net.links.reverse[next[at]]));
          if (beyond != d) {  // a wait that is there already
            EXPECT_LT(lane.positions()[next[at]], lane.positions()[next[beyond]]);
          }
          at = beyond;
        }
      }
    }
    EXPECT_EQ(cables.size(), net.links.switches - 1);
  }
}

// Lanes full of random waits leave many a switch without a link of its own choice.
TEST(LaneTree, FindsAWayOutOfEveryImpasse) {
  const Model model(test::small_fabric("random 14, 24"));
  const Net net(model);
  const EscapeTree escape(net.links, net.hops, net.heights, net.hosts);
  LaneTree tree(net.links, escape);
  const Table<Link, std::uint64_t> weights(net.links.size());
  const auto links = static_cast<std::uint32_t>(net.links.size());
  Random random(7);
  for (int round = 0; round < 20; ++round) {
    Layer lane(net.links, Table<Link, std::uint32_t>(random.permutation(links)), links);
    escape.add_dependencies(lane);
    for (int i = 0; i < 2000; ++i) {
      const Link a{random.below(links)};
      const IdRange<Link> further = net.links.of(net.links.to[a]);
      lane.add(a, further[random.below(further.size())]);
      lane.commit();
    }
    for (std::uint32_t d = 0; d < net.links.switches; ++d) {
      const std::span least(net.hops.data() + d * net.links.switches, net.links.switches);
      NearerLinks nearer;
      find_nearer_links(net.links, least, nearer);
      const LaneTree::Task task{d, least, nearer, weights};
      tree.grow(task, lane);
      EXPECT_EQ(tree.order().size(), net.links.switches);
      std::uint64_t detours = 0;
      for (std::uint32_t s = 0; s < net.links.switches; ++s) {
        std::uint32_t steps = 0;
        for (std::uint32_t at = s; at != d; ++steps) {
          ASSERT_LT(steps, net.links.switches);
          const Link link = tree.next()[at];
          at = net.links.to[link];
          if (at != d) {
            EXPECT_LT(lane.positions()[link], lane.positions()[tree.next()[at]]);
          }
        }
        detours += steps - least[s];
      }
      EXPECT_EQ(tree.detours(task, net.hosts).second, detours);
      lane.commit();
    }
  }
  EXPECT_GT(tree.impasses(), 0U);
}

}  // namespace
}  // namespace fatwood
