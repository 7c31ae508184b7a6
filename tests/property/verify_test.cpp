// SPDX-License-Identifier: BSD-3-Clause
// The verifier against the slow walker, over thousands of random fabrics and tables.

#include "verify/verify.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "io/fabric/spec.hpp"
#include "oracle/walker.hpp"
#include "routing/engine.hpp"
#include "support/damaged_tree.hpp"
#include "support/fabrics.hpp"

namespace fatwood {
namespace {

constexpr int kCasesARun = 40;  // rapidcheck makes 100 runs

// Shortest paths, more or less spoilt, with or without lanes and more addresses.
Routing some_routing(const Fabric& fabric) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto lmc = *rc::gen::weightedElement<unsigned>({{4, 0}, {1, 1}, {1, 2}});
  const auto share = *rc::gen::element(0.0, 0.0, 0.01, 0.1, 0.5, 1.0);
  Routing routing;
  routing.engine = "test";
  routing.tables = test::corrupt(test::shortest_tables(fabric, seed, lmc), seed, share);
  const auto lanes = *rc::gen::element(1U, 1U, 2U, 3U, 8U);
  if (lanes > 1) routing.lanes = test::random_lanes(routing.tables, seed, lanes);
  return routing;
}

bool between_switches(const Fabric& fabric, Channel c) {
  return fabric.is_switch(fabric.owner(c)) && fabric.is_switch(fabric.neighbour(c));
}

void check_order(const Fabric& fabric, const std::vector<Channel>& order,
                 const oracle::Edges& edges) {
  std::map<Channel, std::size_t> place;
  for (const Channel c : order) RC_ASSERT(place.emplace(c, place.size()).second);
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    RC_ASSERT(place.contains(c) == fabric.connected(c));
  }
  for (const auto& [from, to] : edges) RC_ASSERT(place.at(from) < place.at(to));
}

void check_cycle(const Fabric& fabric, const Routing& routing, unsigned lane,
                 const std::vector<Dependency>& cycle, const oracle::Edges& edges,
                 Sources sources) {
  RC_ASSERT(cycle.size() == oracle::shortest_cycle_length(edges));
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const Dependency& one = cycle[i];
    const Channel wanted = cycle[(i + 1) % cycle.size()].channel;
    const Destination destination =
        one.destination.is_switch()
            ? routing.tables.destination(one.destination.sw)
            : routing.tables.destination(one.destination.terminal, one.offset);
    if (sources == Sources::kTerminals) {
      RC_ASSERT_FALSE(one.source.is_switch());
      RC_ASSERT_FALSE(one.destination.is_switch());
    }
    RC_ASSERT(routing.lanes.at(destination, switch_of(fabric, one.source)) == lane);
    const std::vector<Channel> path =
        oracle::walk_packet(fabric, routing, one.source, destination).channels;
    bool found = false;
    for (std::size_t k = 0; k + 1 < path.size(); ++k) {
      found = found || (path[k] == one.channel && path[k + 1] == wanted);
    }
    RC_ASSERT(found);
    RC_ASSERT(between_switches(fabric, one.channel));
  }
}

void check_deadlock(const Fabric& fabric, const Routing& routing, Sources sources,
                    const std::vector<oracle::Edges>& edges) {
  const Deadlock deadlock = find_deadlock(fabric, routing, sources, 1);
  RC_ASSERT(deadlock.lanes.size() == edges.size());
  for (unsigned lane = 0; lane < edges.size(); ++lane) {
    const LaneVerdict& verdict = deadlock.lanes[lane];
    RC_ASSERT(verdict.cycle.empty() != oracle::has_cycle(edges[lane]));
    std::size_t inner = 0;
    for (const auto& [from, to] : edges[lane]) {
      if (between_switches(fabric, from) && between_switches(fabric, to)) ++inner;
    }
    RC_ASSERT(verdict.dependencies == inner);
    if (verdict.cycle.empty()) {
      check_order(fabric, verdict.order, edges[lane]);
    } else {
      check_cycle(fabric, routing, lane, verdict.cycle, edges[lane], sources);
    }
  }
}

void agrees_with_walker(const Fabric& fabric, const Routing& routing) {
  const oracle::Findings findings = oracle::walk_all(fabric, routing);
  const Verdict verdict = verify(Model(fabric), routing, {.threads = 1});
  RC_ASSERT(verdict.reachability.unreachable == findings.unreachable);
  RC_ASSERT(verdict.reachability.loops == findings.loops);
  for (std::size_t h = 0; h < verdict.hops.terminals.pairs.size(); ++h) {
    const auto at = findings.terminal_hops.find(h);
    const std::uint64_t walked = at == findings.terminal_hops.end() ? 0 : at->second;
    RC_ASSERT(verdict.hops.terminals.pairs[h] == walked);
  }
  const std::uint64_t longest =
      findings.terminal_hops.empty() ? 0 : findings.terminal_hops.rbegin()->first;
  RC_ASSERT(longest == verdict.hops.terminals.longest());
  RC_ASSERT(verdict.reachability.first_lost.has_value() == (findings.unreachable.total() > 0));
  if (const auto& lost = verdict.reachability.first_lost) {
    bool arrives = true;
    for (std::uint32_t offset = 0; offset < (1U << routing.tables.lmc()); ++offset) {
      const Destination destination =
          lost->destination.is_switch()
              ? routing.tables.destination(lost->destination.sw)
              : routing.tables.destination(lost->destination.terminal, offset);
      arrives = arrives && oracle::walk_packet(fabric, routing, lost->source, destination).arrives;
    }
    RC_ASSERT(!arrives);
  }
  check_deadlock(fabric, routing, Sources::kAll, findings.dependencies);
  check_deadlock(fabric, routing, Sources::kTerminals, findings.terminal_dependencies);
}

void agrees_on_source_routes(const Fabric& fabric, const Routing& routing) {
  const oracle::Findings findings = oracle::walk_all(fabric, routing);
  const Verdict verdict = verify(Model(fabric), routing, {.threads = 1});
  RC_ASSERT(verdict.reachability.unreachable == findings.unreachable);
  RC_ASSERT(verdict.reachability.first_lost.has_value() == (findings.unreachable.total() > 0));
  RC_ASSERT(verdict.deadlock.free() != oracle::has_cycle(findings.dependencies[0]));
  const LaneVerdict& lane = verdict.deadlock.lanes[0];
  if (verdict.deadlock.free()) check_order(fabric, lane.order, findings.dependencies[0]);
  RC_ASSERT(lane.cycle.size() == oracle::shortest_cycle_length(findings.dependencies[0]));
  for (std::size_t k = 0; k < lane.cycle.size(); ++k) {
    const auto path =
        oracle::walk_packet(fabric, routing, lane.cycle[k].source, lane.cycle[k].destination)
            .channels;
    const std::vector<Channel> edge = {lane.cycle[k].channel,
                                       lane.cycle[(k + 1) % lane.cycle.size()].channel};
    RC_ASSERT(std::search(path.begin(), path.end(), edge.begin(), edge.end()) != path.end());
  }
}

TEST(VerifyProperty, AgreesWithTheWalkerOnAnyTables) {
  const bool holds = rc::check("random fabrics and tables", [] {
    for (int i = 0; i < kCasesARun; ++i) {
      const Fabric fabric = test::random_fabric(*rc::gen::arbitrary<std::uint64_t>());
      agrees_with_walker(fabric, some_routing(fabric));
    }
  });
  EXPECT_TRUE(holds);
}

TEST(VerifyProperty, AgreesWithTheWalkerOnSourceRoutes) {
  const bool holds = rc::check("random fabrics and source routes", [] {
    for (int i = 0; i < 5; ++i) {
      const Fabric fabric = test::random_fabric(*rc::gen::arbitrary<std::uint64_t>());
      const Routing routing =
          test::random_source_routes(fabric, *rc::gen::arbitrary<std::uint64_t>());
      agrees_on_source_routes(fabric, routing);
    }
  });
  EXPECT_TRUE(holds);
}

// A fabric of some kind: anything a file may hold, or a tree with cables gone.
Fabric some_fabric() {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const std::string spec =
      *rc::gen::element<std::string>("", "ft(4,2)", "ft(4,3)", "xgft(2;3,4;1,2)", "kary(2,3)",
                                     "pgft(2;2,4;1,2;1,2)", "ring(5)", "torus(3,3)");
  if (spec.empty()) return test::random_fabric(seed);
  const double share = *rc::gen::element(0.0, 0.02, 0.1, 0.3);
  return test::damaged_tree(make_fabric(spec), seed, share).fabric;
}

// Every engine is checked in the same way on every fabric; an engine may refuse, with a reason.
TEST(VerifyProperty, AgreesWithTheWalkerOnEveryEngine) {
  const bool holds = rc::check("random fabrics, faults and engines", [] {
    for (int i = 0; i < 2; ++i) {
      const Fabric fabric = some_fabric();
      for (const Engine& engine : engines()) {
        Routing routing;
        try {
          routing = route(engine, Model(fabric), {.threads = 1});
        } catch (const PromiseError&) {
          continue;
        } catch (const InputError&) {
          continue;
        }
        if (!routing.sets.empty()) continue;  // adaptive_test.cpp
        if (routing.source_routes.empty()) {
          agrees_with_walker(fabric, routing);
        } else {
          agrees_on_source_routes(fabric, routing);
        }
        if (engine.has(Engine::kDeadlockFree))
          RC_ASSERT(find_deadlock(fabric, routing, Sources::kAll, 1).free());
      }
    }
  });
  EXPECT_TRUE(holds);
}

}  // namespace
}  // namespace fatwood
