// SPDX-License-Identifier: BSD-3-Clause
// Routes that change lanes on their way, against every packet walked one by one.

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "core/random.hpp"
#include "oracle/walker.hpp"
#include "support/fabrics.hpp"
#include "verify/certificate.hpp"
#include "verify/certificate_check.hpp"
#include "verify/deadlock.hpp"

namespace fatwood {
namespace {

using Held = std::pair<Channel, unsigned>;  // a channel in a lane
using Waits = std::map<Held, std::set<Held>>;

bool between_switches(const Fabric& fabric, Channel c) {
  return fabric.is_switch(fabric.owner(c)) && fabric.is_switch(fabric.neighbour(c));
}

// The lanes of the steps between switches of one packet's way.
std::vector<Held> lanes_of_walk(const Fabric& fabric, const Routing& routing, const LaneMap& map,
                                const Endpoint& source, Target target) {
  const auto walk = oracle::walk_packet(fabric, routing, source, target).channels;
  std::vector<Held> steps;
  const Switch first = source.is_switch() ? source.sw : fabric.leaf(source.terminal);
  if (first == kNone<Switch>) return steps;
  const unsigned level = routing.lanes.at(target, first);
  for (std::size_t i = 0; i < walk.size(); ++i) {
    if (!between_switches(fabric, walk[i])) continue;
    const Switch s = fabric.as_switch(fabric.owner(walk[i]));
    const Port in = i == 0 ? 0 : fabric.port(fabric.peer(walk[i - 1]));
    steps.emplace_back(walk[i], map.lane(s, in, fabric.port(walk[i]), level));
  }
  return steps;
}

Waits waits_of(const Fabric& fabric, const Routing& routing, const LaneMap& map, Sources sources) {
  std::vector<Endpoint> ends;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) ends.push_back(endpoint(t));
  if (sources == Sources::kAll) {
    for (const Switch s : ids<Switch>(fabric.num_switches())) ends.push_back(endpoint(s));
  }
  Waits waits;
  for (const Endpoint& source : ends) {
    for (const Target target : ids<Target>(routing.tables.num_targets())) {
      const Endpoint to = endpoint(routing.tables, target);
      if (to == source || (sources == Sources::kTerminals && to.is_switch())) continue;
      const auto steps = lanes_of_walk(fabric, routing, map, source, target);
      for (std::size_t i = 0; i + 1 < steps.size(); ++i) waits[steps[i]].insert(steps[i + 1]);
    }
  }
  return waits;
}

bool has_cycle(const Waits& waits) {
  std::map<Held, int> state;  // 1: on the way, 2: done
  const std::function<bool(const Held&)> visit = [&](const Held& at) {
    if (state[at] != 0) return state[at] == 1;
    state[at] = 1;
    if (const auto found = waits.find(at); found != waits.end()) {
      for (const Held& next : found->second) {
        if (visit(next)) return true;
      }
    }
    state[at] = 2;
    return false;
  };
  for (const auto& [from, to] : waits) {
    if (visit(from)) return true;
  }
  return false;
}

// A lane for each (switch, in, out, level): of one table, or of a few at random.
LaneMap random_map(const Fabric& fabric, std::uint64_t seed, unsigned lanes, unsigned odd_percent) {
  LaneMap map(fabric);
  Random random(seed, 7);
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const Port ports = fabric.ports(fabric.node(s));
    for (Port in = 0; in <= ports; ++in) {
      for (Port out = 0; out <= ports; ++out) {
        LaneOfLevel table{};
        const bool odd = random.next32() % 100 < odd_percent;
        for (unsigned level = 0; level < kLevels; ++level) {
          table[level] = static_cast<std::uint8_t>((odd ? random.next32() : level) % lanes);
        }
        map.set(s, in, out, table);
      }
    }
  }
  return map;
}

void check_cycle(const Fabric& fabric, const Routing& routing, const LaneMap& map,
                 const LaneVerdict& verdict, const Waits& waits) {
  for (std::size_t i = 0; i < verdict.cycle.size(); ++i) {
    const Dependency& one = verdict.cycle[i];
    const Dependency& next = verdict.cycle[(i + 1) % verdict.cycle.size()];
    const Held held{one.channel, one.lane}, wanted{next.channel, next.lane};
    ASSERT_TRUE(waits.contains(held));
    EXPECT_TRUE(waits.at(held).contains(wanted));
    const Target target = one.destination.is_switch()
                              ? routing.tables.target(one.destination.sw)
                              : routing.tables.target(one.destination.terminal, one.offset);
    const auto steps = lanes_of_walk(fabric, routing, map, one.source, target);
    bool seen = false;
    for (std::size_t k = 0; k + 1 < steps.size(); ++k) {
      seen = seen || (steps[k] == held && steps[k + 1] == wanted);
    }
    EXPECT_TRUE(seen) << "the pair named does not wait so";
  }
}

TEST(ChangingLanes, AgreesWithEveryPacketWalked) {
  unsigned cyclic = 0, acyclic = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    const auto small = static_cast<std::uint32_t>(seed);
    const Fabric fabric =
        seed % 4 == 0 ? test::ring(3 + small % 5, 2) : test::random_fabric(seed, 4 + small % 6);
    Routing routing;
    routing.tables = test::shortest_tables(fabric, seed, seed % 3 == 0 ? 1 : 0);
    const auto lanes = static_cast<unsigned>(1 + seed % 4);
    routing.lanes = test::random_lanes(routing.tables, seed, 4);
    routing.sl2vl = random_map(fabric, seed, lanes, seed % 2 == 0 ? 100 : 10);
    const LaneMap& map = routing.sl2vl;
    for (const Sources sources : {Sources::kAll, Sources::kTerminals}) {
      const Deadlock deadlock = find_deadlock(fabric, routing, sources, 2);
      const Waits waits = waits_of(fabric, routing, map, sources);
      std::uint64_t count = 0;
      for (const auto& [from, to] : waits) count += to.size();
      ASSERT_EQ(deadlock.lanes.size(), 1U);
      EXPECT_EQ(deadlock.lanes[0].dependencies, count);
      EXPECT_EQ(deadlock.free(), !has_cycle(waits));
      ++(deadlock.free() ? acyclic : cyclic);
      check_cycle(fabric, routing, map, deadlock.lanes[0], waits);
    }
  }
  EXPECT_GT(cyclic, 20U);
  EXPECT_GT(acyclic, 20U);
}

std::string proof_of(const Fabric& fabric, const Routing& routing, Sources sources,
                     const Deadlock& deadlock) {
  std::ostringstream out;
  write_certificate(out, fabric, routing, sources, deadlock);
  return out.str();
}

CertificateCheck check_proof(const std::string& text, const Fabric& fabric,
                             const Routing& routing) {
  std::istringstream in(text);
  return check_certificate(in, "proof", fabric, routing, 2);
}

TEST(ChangingLanes, AProofHoldsForItsOwnRoutesAlone) {
  unsigned proofs = 0, spoilt = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const Fabric fabric = test::random_fabric(seed, 6);
    Routing routing;
    routing.tables = test::shortest_tables(fabric, seed);
    routing.lanes = test::random_lanes(routing.tables, seed, 4);
    routing.sl2vl = random_map(fabric, seed, 4, 10);
    const Sources sources = seed % 2 == 0 ? Sources::kAll : Sources::kTerminals;
    Deadlock deadlock = find_deadlock(fabric, routing, sources, 2);
    if (!deadlock.free()) continue;
    ++proofs;
    const std::string proof = proof_of(fabric, routing, sources, deadlock);
    const CertificateCheck check = check_proof(proof, fabric, routing);
    EXPECT_TRUE(check.holds()) << check.why_not;
    EXPECT_EQ(check.terminals_only, sources == Sources::kTerminals);
    Routing other = routing;
    other.sl2vl = random_map(fabric, seed + 1000, 4, 10);
    EXPECT_FALSE(check_proof(proof, fabric, other).holds());
    other.sl2vl = {};
    EXPECT_EQ(check_proof(proof, fabric, other).line, 4U);
    // Backwards it holds only where nothing waits for anything.
    LaneVerdict& verdict = deadlock.lanes[0];
    std::ranges::reverse(verdict.order);
    std::ranges::reverse(verdict.lane_at);
    const CertificateCheck backwards =
        check_proof(proof_of(fabric, routing, sources, deadlock), fabric, routing);
    EXPECT_EQ(backwards.holds(), verdict.dependencies == 0);
    if (verdict.dependencies > 0) ++spoilt;
  }
  EXPECT_GT(proofs, 20U);
  EXPECT_GT(spoilt, 20U);
}

// What keeps its lane everywhere is judged as the plain verifier does.
TEST(ChangingLanes, OfATableThatIsTheSameEverywhereIsAsWithout) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Fabric fabric = test::random_fabric(seed, 8);
    Routing routing;
    routing.tables = test::corrupt(test::shortest_tables(fabric, seed), seed, 0.1);
    routing.lanes = test::random_lanes(routing.tables, seed, 3);
    const Deadlock plain = find_deadlock(fabric, routing);
    routing.sl2vl = random_map(fabric, seed, 16, 0);
    const Deadlock mapped = find_deadlock(fabric, routing);
    EXPECT_EQ(plain.free(), mapped.free());
    std::uint64_t dependencies = 0;
    for (const LaneVerdict& lane : plain.lanes) dependencies += lane.dependencies;
    EXPECT_EQ(dependencies, mapped.lanes[0].dependencies);
    if (!plain.free()) {
      EXPECT_EQ(plain.lanes[plain.cyclic_lane()].cycle.size(), mapped.lanes[0].cycle.size());
    }
  }
}

}  // namespace
}  // namespace fatwood
