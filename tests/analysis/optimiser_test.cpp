// SPDX-License-Identifier: BSD-3-Clause
// The optimiser: usage, lengths and deadlock freedom against slow recounts; fault tolerance
// against all paths tried one by one.

#include "routing/improve/optimiser.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "analysis/faults/fault_tolerance.hpp"
#include "core/error.hpp"
#include "io/fabric/spec.hpp"
#include "oracle/routes.hpp"
#include "routing/engine.hpp"
#include "routing/ordered/bfot.hpp"
#include "support/small_fabrics.hpp"
#include "topology/builder.hpp"

namespace fatwood {
namespace {

// Flows over each channel between switches, by walking every pair.
std::map<Channel, std::uint64_t> recounted(const Fabric& fabric, const Routing& routing) {
  std::map<Channel, std::uint64_t> use;
  for (const Terminal source : ids<Terminal>(fabric.num_terminals())) {
    for (std::uint32_t t = 0; t < fabric.num_terminals() << routing.tables.lmc(); ++t) {
      if (routing.tables.terminal(Destination{t}) == source) continue;
      for (const Channel c :
           oracle::walk(fabric, routing, fabric.leaf(source), Destination{t}).channels) {
        if (fabric.is_switch(fabric.neighbour(c))) ++use[c];
      }
    }
  }
  return use;
}

void expect_usage(const Fabric& fabric, const MovableRoutes& routes) {
  const auto use = recounted(fabric, routes.routing());
  const LinkGraph& links = routes.links();
  for (const Link l : ids<Link>(links.size())) {
    const Channel c = fabric.channel(fabric.node(Switch{links.from[l]}), links.port[l]);
    const auto at = use.find(c);
    ASSERT_EQ(routes.usage()[l], at == use.end() ? 0 : at->second) << port_name(fabric, c);
  }
}

std::map<unsigned, std::uint64_t> lengths(const Fabric& fabric, const Routing& routing) {
  std::map<unsigned, std::uint64_t> count;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    for (const Destination t : ids<Destination>(routing.tables.num_destinations())) {
      ++count[static_cast<unsigned>(oracle::walk(fabric, routing, s, t).channels.size())];
    }
  }
  return count;
}

class EveryTableEngine : public testing::TestWithParam<std::string_view> {};

TEST_P(EveryTableEngine, StaysLegalAndGetsEvener) {
  const Engine& engine = find_engine(GetParam());
  for (const std::string_view name : test::small_fabric_names()) {
    SCOPED_TRACE(name);
    const Fabric fabric = test::small_fabric(std::string(name));
    Routing routing;
    try {
      routing = route(engine, Model(fabric), {.max_lanes = 16});
    } catch (const PromiseError&) {
      continue;
    }
    if (routing.tables.num_destinations() == 0) {
      EXPECT_THROW(MovableRoutes(fabric, routing), InputError);
      continue;
    }
    const oracle::RouteFindings before = oracle::look_at_routes(fabric, routing);
    MovableRoutes routes(fabric, routing);
    EXPECT_EQ(routes.guarded(), before.deadlock_free);
    expect_usage(fabric, routes);
    const OptimiseResult result = optimise(routes, {.patience = 500});
    expect_usage(fabric, routes);
    EXPECT_EQ(result.before.flows, result.after.flows);
    EXPECT_LE(result.after.variance, result.after_duplicates.variance + 1e-9);
    const oracle::RouteFindings after = oracle::look_at_routes(fabric, routes.routing());
    EXPECT_TRUE(after.deadlock_free || !before.deadlock_free);
    EXPECT_EQ(after.routes, before.routes);
    EXPECT_EQ(after.loops, 0U);
    EXPECT_EQ(lengths(fabric, routes.routing()), lengths(fabric, routing));
    EXPECT_EQ(routes.routing().lanes.lane, routing.lanes.lane);
  }
}

std::vector<std::string_view> all_names() {
  std::vector<std::string_view> names;
  for (const Engine& engine : engines()) names.push_back(engine.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Optimiser, EveryTableEngine, testing::ValuesIn(all_names()),
                         [](const auto& param) {
                           std::string name(param.param);
                           for (char& c : name) c = c == '+' ? 'p' : c == '-' ? '_' : c;
                           return name;
                         });

// Joined by ports 1 to `cables`, with so many terminals on each.
Fabric two_switches(std::uint32_t cables, std::uint32_t terminals) {
  FabricBuilder builder;
  const auto a = builder.add_switch("A", cables + terminals);
  const auto b = builder.add_switch("B", cables + terminals);
  for (std::uint32_t p = 1; p <= cables; ++p)
    builder.connect(a, static_cast<Port>(p), b, static_cast<Port>(p));
  for (std::uint32_t p = cables + 1; p <= cables + terminals; ++p) {
    builder.connect(builder.add_adapter("HA" + std::to_string(p), 1), Port{1}, a,
                    static_cast<Port>(p));
    builder.connect(builder.add_adapter("HB" + std::to_string(p), 1), Port{1}, b,
                    static_cast<Port>(p));
  }
  return builder.build();
}

TEST(Optimiser, SharesDuplicateLinksLargestFlowFirst) {
  // 6 addresses of 6 flows each, two a cable.
  const Fabric fabric = two_switches(3, 6);
  Routing routing = route(find_engine("minhop"), Model(fabric));
  for (const Destination t : ids<Destination>(routing.tables.num_destinations())) {
    for (Port& port : routing.tables.row(t)) {
      if (port >= Port{1} && port <= Port{3}) port = Port{1};  // all over one cable
    }
  }
  MovableRoutes routes(fabric, routing);
  const OptimiseResult result = optimise(routes);
  EXPECT_EQ(result.before.largest, 36U);
  EXPECT_EQ(result.after_duplicates.largest, 12U);
  EXPECT_EQ(result.after_duplicates.variance, 0.0);
  EXPECT_EQ(result.duplicate_moves, 8U);
  EXPECT_EQ(result.moves, 0U);
}

TEST(Optimiser, DuplicateLinksThatAreEvenStayAsTheyAre) {
  // Four addresses a side: the first two over one cable, the others over the other.
  const Fabric fabric = two_switches(2, 4);
  Routing routing = route(find_engine("minhop"), Model(fabric));
  Table<Switch, std::uint32_t> seen(fabric.num_switches());
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const auto row = routing.tables.row(routing.tables.destination(t, 0));
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      if (fabric.leaf(t) != s) row[index(s)] = seen[s]++ < 2 ? Port{1} : Port{2};
    }
  }
  MovableRoutes routes(fabric, routing);
  const OptimiseResult result = optimise(routes);
  EXPECT_EQ(result.before.variance, 0.0);
  EXPECT_EQ(result.duplicate_moves, 0U);
  EXPECT_EQ(result.moves, 0U);
}

TEST(Optimiser, SeedDecidesAndRepeats) {
  const Fabric fabric = make_fabric("random(16,48,dup=8,seed=5001)");
  const Routing routing = route(find_engine("bfot"), Model(fabric));
  const auto run = [&](std::uint64_t seed) {
    MovableRoutes routes(fabric, routing);
    optimise(routes, {.seed = seed});
    return routes.routing().tables;
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_FALSE(run(1) == run(2));
  EXPECT_FALSE(run(1) == routing.tables);
}

TEST(Optimiser, RefusesWhatWouldCloseACircle) {
  // On a ring of four minhop's alternatives both ways round close one; updn+'s routes stay free.
  const Fabric fabric = make_fabric("torus(4,4)");
  for (const char* engine : {"updn+", "bfot"}) {
    MovableRoutes routes(fabric, route(find_engine(engine), Model(fabric)));
    ASSERT_TRUE(routes.guarded());
    optimise(routes);
    EXPECT_TRUE(oracle::look_at_routes(fabric, routes.routing()).deadlock_free);
  }
}

TEST(LinkRule, OfLayersIsWhatTheMessagesOfBfotLeave) {
  for (const char* spec : {"random(16,48,dup=8,seed=5001)", "torus(4,4)", "ring(7)",
                           "random(32,96,min=1,max=8,seed=1005)", "hypercube(4)"}) {
    const Fabric fabric = make_fabric(spec);
    const MovableRoutes routes(fabric, route(find_engine("bfot"), Model(fabric)),
                               rule_of(Model(fabric), "bfot"));
    const OrderedLinks layers = order_links(fabric, LinkOrder::kBySweep);
    for (std::uint32_t t = 0; t < routes.num_addresses(); ++t) {
      const auto by_messages =
          find_ordered_alternatives(layers, index(fabric.leaf(static_cast<Terminal>(t))));
      for (std::uint32_t s = 0; s < routes.links().switches; ++s) {
        if (routes.hops(t, s) == 0) continue;
        std::set<Link> expected;
        for (const Link arc : by_messages.of(s)) {
          expected.insert(routes.links().link(s, layers.port[arc]));
        }
        auto found = routes.alternatives(t, s);
        found.push_back(routes.next(t, s));
        EXPECT_EQ(std::set<Link>(found.begin(), found.end()), expected) << spec;
      }
    }
  }
}

TEST(LinkRule, EveryMixOfAlternativesKeepsIt) {
  for (const char* spec : {"random(16,48,dup=8,seed=5001)", "torus(4,4)", "ft(4,3)",
                           "random(32,96,min=1,max=8,seed=1005)"}) {
    const Fabric fabric = make_fabric(spec);
    for (const char* engine : {"updn+", "bfot", "bfot+"}) {
      const LinkRanks ranks = rule_of(Model(fabric), engine);
      MovableRoutes routes(fabric, route(find_engine(engine), Model(fabric)), ranks);
      ASSERT_TRUE(routes.guarded());
      const LinkGraph& links = routes.links();
      std::size_t others = 0;
      for (std::uint32_t t = 0; t < routes.num_addresses(); ++t) {
        const auto usable = [&](std::uint32_t s) {
          auto all = routes.alternatives(t, s);
          all.push_back(routes.next(t, s));
          return all;
        };
        for (std::uint32_t s = 0; s < links.switches; ++s) {
          if (routes.hops(t, s) == 0) continue;
          others += routes.alternatives(t, s).size();
          for (const Link link : usable(s)) {
            const std::uint32_t to = links.to[link];
            ASSERT_EQ(routes.hops(t, to) + 1, routes.hops(t, s));
            if (routes.hops(t, to) == 0) continue;
            for (const Link further : usable(to)) {
              ASSERT_GE(ranks[further], ranks[link]) << spec << " " << engine;
            }
          }
        }
      }
      EXPECT_GT(others, 0U) << spec << " " << engine;
      const OptimiseResult result = optimise(routes);
      EXPECT_EQ(result.refused, 0U) << spec << " " << engine;  // the guard has nothing to do
      EXPECT_LE(result.after.variance, result.before.variance);
      EXPECT_TRUE(oracle::look_at_routes(fabric, routes.routing()).deadlock_free);
    }
  }
  EXPECT_THROW(rule_of(Model(make_fabric("torus(4,4)")), "lash"), InputError);
}

// All paths over usable entries from s, by trying all; unguarded routes, so all are ready.
TEST(FaultTolerance, AgreesWithAllPathsOfUnguardedRoutes) {
  for (const std::string_view name : {"ft(4,2)", "ft(4,3)", "ring of seven", "grid 4x4 wrapped",
                                      "parallel cables", "random 14, 24", "random 20, 60"}) {
    const Fabric fabric = test::small_fabric(std::string(name));
    const Routing routing = route(find_engine("minhop"), Model(fabric));
    MovableRoutes routes(fabric, routing);
    if (routes.guarded()) continue;  // other alternatives might be left out
    const LinkGraph& links = routes.links();
    double avoided = 0;
    std::uint64_t pairs = 0, covered = 0, total = 0;
    for (std::uint32_t t = 0; t < fabric.num_terminals(); ++t) {
      for (const Terminal source : ids<Terminal>(fabric.num_terminals())) {
        const std::uint32_t s = index(fabric.leaf(source));
        if (routes.hops(t, s) == 0) continue;
        std::vector<std::vector<Link>> paths;
        std::vector<Link> path;
        const std::function<void(std::uint32_t)> extend = [&](std::uint32_t at) {
          if (routes.hops(t, at) == 0) {
            paths.push_back(path);
            return;
          }
          auto out = routes.alternatives(t, at);
          out.insert(out.begin(), routes.next(t, at));
          for (const Link link : out) {
            path.push_back(link);
            extend(links.to[link]);
            path.pop_back();
          }
        };
        extend(s);
        const std::set<Link> used(paths[0].begin(), paths[0].end());
        std::size_t most = 0;
        for (const auto& other : paths) {
          std::size_t different = 0;
          for (const Link link : other) different += used.contains(link) ? 0U : 1U;
          most = std::max(most, different);
        }
        for (const Link lost : used) {
          ++total;
          for (const auto& other : paths) {
            if (std::ranges::find(other, lost) == other.end()) {
              ++covered;
              break;
            }
          }
        }
        avoided += static_cast<double>(most) / static_cast<double>(used.size());
        ++pairs;
      }
    }
    const FaultTolerance found = fault_tolerance(std::move(routes));
    EXPECT_EQ(found.pairs, pairs) << name;
    EXPECT_NEAR(found.avoided, avoided / static_cast<double>(pairs), 1e-12) << name;
    EXPECT_NEAR(found.covered, static_cast<double>(covered) / static_cast<double>(total), 1e-12)
        << name;
  }
}

TEST(FaultTolerance, OfAWholeTreeAndOfATreeWithoutSpares) {
  // ft(4,2): a leaf pair's two paths share nothing.
  const Fabric tree = make_fabric("ft(4,2)");
  const FaultTolerance whole =
      fault_tolerance(MovableRoutes(tree, route(find_engine("updn+"), Model(tree))));
  EXPECT_DOUBLE_EQ(whole.avoided, 1);
  EXPECT_DOUBLE_EQ(whole.covered, 1);
  // A line has one path a pair.
  const Fabric line = test::small_fabric("line of five");
  const FaultTolerance none =
      fault_tolerance(MovableRoutes(line, route(find_engine("bfot"), Model(line))));
  EXPECT_EQ(none.avoided, 0);
  EXPECT_EQ(none.covered, 0);
  EXPECT_EQ(none.ready, 0U);
}

}  // namespace
}  // namespace fatwood
