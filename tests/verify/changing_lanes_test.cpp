// SPDX-License-Identifier: BSD-3-Clause
// Routes that change lanes on their way, against every packet walked one by one.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>

#include "core/random.hpp"
#include "io/fabric/spec.hpp"
#include "oracle/certificate_check.hpp"
#include "oracle/choices.hpp"
#include "oracle/walker.hpp"
#include "routing/engine.hpp"
#include "support/fabrics.hpp"
#include "verify/certificate/certificate.hpp"
#include "verify/deadlock/all_levels.hpp"
#include "verify/deadlock/deadlock.hpp"
#include "verify/reach/discarded.hpp"
#include "verify/verify.hpp"

namespace fatwood {
namespace {

using Held = std::pair<Channel, unsigned>;  // a channel in a lane
using Dependencies = std::map<Held, std::set<Held>>;

bool between_switches(const Fabric& fabric, Channel c) {
  return fabric.is_switch(fabric.owner(c)) && fabric.is_switch(fabric.neighbour(c));
}

// The lanes of the steps between switches of one packet's way.
std::vector<Held> lanes_of_walk(const Fabric& fabric, const Routing& routing, const LaneMap& map,
                                const Endpoint& source, Destination destination) {
  const auto walk = oracle::walk_packet(fabric, routing, source, destination).channels;
  std::vector<Held> steps;
  const Switch first = source.is_switch() ? source.sw : fabric.leaf(source.terminal);
  if (first == kNone<Switch>) return steps;
  const unsigned level = routing.lanes.at(destination, first);
  for (std::size_t i = 0; i < walk.size(); ++i) {
    if (!between_switches(fabric, walk[i])) continue;
    const Switch s = fabric.as_switch(fabric.owner(walk[i]));
    const Port in = i == 0 ? kOwnPort : fabric.port(fabric.peer(walk[i - 1]));
    steps.emplace_back(walk[i], map.lane(s, in, fabric.port(walk[i]), level));
  }
  return steps;
}

Dependencies dependencies_of(const Fabric& fabric, const Routing& routing, const LaneMap& map,
                             Sources sources) {
  std::vector<Endpoint> ends;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) ends.push_back(endpoint(t));
  if (sources == Sources::kAll) {
    for (const Switch s : ids<Switch>(fabric.num_switches())) ends.push_back(endpoint(s));
  }
  Dependencies dependencies;
  for (const Endpoint& source : ends) {
    for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
      const Endpoint to = endpoint(routing.tables, destination);
      if (to == source || (sources == Sources::kTerminals && to.is_switch())) continue;
      const auto steps = lanes_of_walk(fabric, routing, map, source, destination);
      for (std::size_t i = 0; i + 1 < steps.size(); ++i)
        dependencies[steps[i]].insert(steps[i + 1]);
    }
  }
  return dependencies;
}

bool has_cycle(const Dependencies& dependencies) {
  std::map<Held, int> state;  // 1: on the way, 2: done
  const std::function<bool(const Held&)> visit = [&](const Held& at) {
    if (state[at] != 0) return state[at] == 1;
    state[at] = 1;
    if (const auto found = dependencies.find(at); found != dependencies.end()) {
      for (const Held& next : found->second) {
        if (visit(next)) return true;
      }
    }
    state[at] = 2;
    return false;
  };
  for (const auto& [from, to] : dependencies) {
    if (visit(from)) return true;
  }
  return false;
}

// A lane for each (switch, in, out, level): of one table, or of a few at random.
LaneMap random_map(const Fabric& fabric, std::uint64_t seed, unsigned lanes, unsigned odd_percent) {
  LaneMap map(fabric);
  Random random(seed, 7);
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const auto ports = ids<Port>(fabric.ports(fabric.node(s)) + 1);
    for (const Port in : ports) {
      for (const Port out : ports) {
        LaneOfSl table{};
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
                 const LaneVerdict& verdict, const Dependencies& dependencies) {
  for (std::size_t i = 0; i < verdict.cycle.size(); ++i) {
    const Dependency& one = verdict.cycle[i];
    const Dependency& next = verdict.cycle[(i + 1) % verdict.cycle.size()];
    const Held held{one.channel, one.lane}, wanted{next.channel, next.lane};
    ASSERT_TRUE(dependencies.contains(held));
    EXPECT_TRUE(dependencies.at(held).contains(wanted));
    const Destination destination =
        one.destination.is_switch()
            ? routing.tables.destination(one.destination.sw)
            : routing.tables.destination(one.destination.terminal, one.offset);
    const auto steps = lanes_of_walk(fabric, routing, map, one.source, destination);
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
      const Dependencies dependencies = dependencies_of(fabric, routing, map, sources);
      std::uint64_t count = 0;
      for (const auto& [from, to] : dependencies) count += to.size();
      ASSERT_EQ(deadlock.lanes.size(), 1U);
      EXPECT_EQ(deadlock.lanes[0].dependencies, count);
      EXPECT_EQ(deadlock.free(), !has_cycle(dependencies));
      ++(deadlock.free() ? acyclic : cyclic);
      check_cycle(fabric, routing, map, deadlock.lanes[0], dependencies);
    }
  }
  EXPECT_GT(cyclic, 20U);
  EXPECT_GT(acyclic, 20U);
}

// Lane 15 on any step, not on the last alone.
TEST(ChangingLanes, PacketsThatTakeTheManagementLaneAreDiscarded) {
  std::uint64_t discarded = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const Fabric fabric = test::random_fabric(seed, 5 + static_cast<std::uint32_t>(seed) % 4);
    Routing routing;
    routing.tables = test::shortest_tables(fabric, seed);
    routing.lanes = test::random_lanes(routing.tables, seed, 4);
    routing.sl2vl = random_map(fabric, seed, 16, 80);
    std::uint64_t expected = 0;
    for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
      const auto walk = [&](const Endpoint& source) {
        if (source == endpoint(routing.tables, destination)) return;
        const auto steps = lanes_of_walk(fabric, routing, routing.sl2vl, source, destination);
        expected += std::ranges::any_of(steps, [](const Held& step) { return step.second == 15; });
      };
      for (const Terminal t : ids<Terminal>(fabric.num_terminals())) walk(endpoint(t));
      for (const Switch s : ids<Switch>(fabric.num_switches())) walk(endpoint(s));
    }
    EXPECT_EQ(find_discarded(fabric, routing).pairs.total(), expected);
    discarded += expected;
  }
  EXPECT_GT(discarded, 100U);
}

Lanes every_path_on(const Routing& routing, unsigned level) {
  const std::size_t switches = routing.tables.num_switches();
  return {kLevels, std::vector<std::uint32_t>(routing.tables.num_destinations(), 0),
          std::vector<std::uint8_t>(switches, static_cast<std::uint8_t>(level)), switches};
}

// Every SL against every packet walked: alone, and all of a set in one graph.
TEST(AllLevels, AgreesWithEveryPacketWalked) {
  unsigned whole = 0, conflicting = 0, cyclic = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    const auto small = static_cast<std::uint32_t>(seed);
    const Fabric fabric =
        seed % 4 < 2 ? test::ring(4 + small % 3, 1) : test::random_fabric(seed, 4 + small % 4);
    Routing routing;
    routing.tables = test::shortest_tables(fabric, seed);
    const unsigned odd = seed % 5 == 0 ? 0 : seed % 2 == 0 ? 100 : 5;
    const LaneMap map = random_map(fabric, seed, seed % 3 == 0 ? 16 : 4, odd);
    const AllLevels found = find_all_levels(fabric, routing, map, {}, Sources::kAll, 2);
    Dependencies safe, all;
    for (unsigned level = 0; level < kLevels; ++level) {
      routing.lanes = every_path_on(routing, level);
      const bool discarded = [&] {
        Routing one = routing;
        one.sl2vl = map;
        return find_discarded(fabric, one).pairs.total() > 0;
      }();
      EXPECT_EQ((found.discarded >> level & 1U) != 0, discarded);
      if (discarded) continue;
      const Dependencies own = dependencies_of(fabric, routing, map, Sources::kAll);
      Dependencies both = safe;
      for (const auto& [from, to] : own) {
        both[from].insert(to.begin(), to.end());
        all[from].insert(to.begin(), to.end());
      }
      EXPECT_EQ((found.cyclic >> level & 1U) != 0, has_cycle(own));
      EXPECT_EQ((found.together >> level & 1U) != 0, !has_cycle(own) && !has_cycle(both));
      if (!has_cycle(own) && !has_cycle(both)) safe = both;
    }
    EXPECT_EQ(found.deadlock.free(), !has_cycle(all));
    for (const LaneVerdict& verdict : found.deadlock.lanes) {
      for (std::size_t i = 0; i < verdict.cycle.size(); ++i) {
        const Dependency& one = verdict.cycle[i];
        const Dependency& next = verdict.cycle[(i + 1) % verdict.cycle.size()];
        EXPECT_TRUE(all[Held(one.channel, one.lane)].contains(Held(next.channel, next.lane)));
      }
    }
    whole += found.deadlock.free() ? 1U : 0U;
    conflicting += found.conflicting() != 0 ? 1U : 0U;
    cyclic += found.cyclic != 0 ? 1U : 0U;
  }
  EXPECT_GT(whole, 3U);
  EXPECT_GT(conflicting, 3U);
  EXPECT_GT(cyclic, 3U);
}

// Where every SL keeps its VL, the tables on one VL decide.
TEST(AllLevels, OfLevelsOnOwnLanesIsTheVerdictOfOne) {
  LaneOfSl same{};
  same[3] = 15;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Fabric fabric = test::random_fabric(seed, 6);
    Routing routing;
    routing.tables = test::shortest_tables(fabric, seed);
    const bool free = find_deadlock(fabric, routing).free();
    const AllLevels found = find_all_levels(fabric, routing, {}, same, Sources::kAll, 2);
    EXPECT_EQ(found.discarded, 8);
    EXPECT_EQ(found.together, free ? 0xfff7 : 0);
    EXPECT_EQ(found.cyclic, free ? 0 : 0xfff7);
    EXPECT_EQ(found.deadlock.free(), free);
  }
}

std::string proof_of(const Fabric& fabric, const Routing& routing, Sources sources,
                     const Deadlock& deadlock) {
  std::ostringstream out;
  write_certificate(out, fabric, routing, sources, deadlock);
  return out.str();
}

oracle::CertificateCheck check_proof(const std::string& text, const Fabric& fabric,
                                     const Routing& routing) {
  std::istringstream in(text);
  return oracle::check_certificate(in, "proof", fabric, routing, 2);
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
    const oracle::CertificateCheck check = check_proof(proof, fabric, routing);
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
    const oracle::CertificateCheck backwards =
        check_proof(proof_of(fabric, routing, sources, deadlock), fabric, routing);
    EXPECT_EQ(backwards.holds(), verdict.dependencies == 0);
    if (verdict.dependencies > 0) ++spoilt;
  }
  EXPECT_GT(proofs, 20U);
  EXPECT_GT(spoilt, 20U);
}

// Routes that keep their lane everywhere get the result of the plain verifier.
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

// All choices of one packet, tried one after the other along every path of at most so many steps.
class EveryChoice {
 public:
  EveryChoice(const Fabric& fabric, const Routing& routing) : fabric_(fabric), routing_(routing) {}

  struct Outcome {
    bool lost = false, discarded = false;
  };

  // Adds what the packet may hold and want; a way that comes again to where it was, in the lane
  // that it had, is lost.
  Outcome follow(const Endpoint& source, Destination destination) {
    outcome_ = {};
    path_.clear();
    destination_ = destination;
    const Switch first = source.is_switch() ? source.sw : fabric_.leaf(source.terminal);
    if (first == kNone<Switch>) return outcome_;
    level_ = routing_.lanes.at(destination, first);
    const Port in = source.is_switch() ? kOwnPort : fabric_.leaf_port(source.terminal);
    step(first, in, std::nullopt);
    return outcome_;
  }
  const Dependencies& dependencies() const { return dependencies_; }

 private:
  void step(Switch s, Port in, std::optional<Held> held) {
    const std::tuple here{s, in, std::size_t{held ? held->second : kLevels}};
    if (std::ranges::find(path_, here) != path_.end()) {
      outcome_.lost = true;
      return;
    }
    path_.push_back(here);
    const auto ports = routing_.ports(s, destination_);
    if (ports.empty()) outcome_.lost = true;
    for (const Port port : ports) {
      const Node node = fabric_.node(s);
      const bool cable = port != kOwnPort && index(port) <= fabric_.ports(node) &&
                         fabric_.connected(fabric_.channel(node, port));
      const Channel c = cable ? fabric_.channel(node, port) : kNone<Channel>;
      if (!cable || !fabric_.is_switch(fabric_.neighbour(c))) {
        const ForwardingTables& tables = routing_.tables;
        const bool there = tables.is_switch(destination_)
                               ? port == kOwnPort && tables.as_switch(destination_) == s
                               : cable && fabric_.peer(c) == fabric_.terminal_channel(
                                                                 tables.terminal(destination_));
        outcome_.lost = outcome_.lost || !there;
        continue;
      }
      if (port == in && ports.size() > 1) continue;
      const Held wanted{c, routing_.sl2vl.lane(s, in, port, level_)};
      outcome_.discarded = outcome_.discarded || wanted.second == 15;
      if (held) dependencies_[*held].insert(wanted);
      step(fabric_.as_switch(fabric_.neighbour(c)), fabric_.port(fabric_.peer(c)), wanted);
    }
    path_.pop_back();
  }

  const Fabric& fabric_;
  const Routing& routing_;
  Destination destination_{};
  unsigned level_ = 0;
  Outcome outcome_;
  Dependencies dependencies_;
  std::vector<std::tuple<Switch, Port, std::size_t>> path_;
};

std::vector<Endpoint> ends_of(const Fabric& fabric, Sources sources) {
  std::vector<Endpoint> ends;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) ends.push_back(endpoint(t));
  if (sources != Sources::kAll) return ends;
  for (const Switch s : ids<Switch>(fabric.num_switches())) ends.push_back(endpoint(s));
  return ends;
}

Routing adaptive_with_lanes(const Fabric& fabric, std::uint64_t seed, unsigned lanes) {
  Routing routing = oracle::random_adaptive(
      fabric, test::shortest_tables(fabric, seed, seed % 5 == 0 ? 1 : 0), seed, 0.4);
  routing.lanes = test::random_lanes(routing.tables, seed, 4);
  routing.sl2vl = random_map(fabric, seed, lanes, seed % 2 == 0 ? 100 : 10);
  return routing;
}

// Groups of complete trees, whose hosts make classes, and random groups.
TEST(ChangingLanes, OfAdaptiveTablesAgreeWithEveryChoiceTried) {
  unsigned cyclic = 0, acyclic = 0;
  for (std::uint64_t seed = 0; seed < 90; ++seed) {
    SCOPED_TRACE(seed);
    const auto small = static_cast<std::uint32_t>(seed);
    const bool tree = seed % 3 == 0;
    const Model model(tree ? make_fabric("xgft(2;2,3;1,2)")
                           : test::random_fabric(seed, 4 + small % 3));
    const Fabric& fabric = model.fabric();
    Routing routing = adaptive_with_lanes(fabric, seed, static_cast<unsigned>(1 + seed % 4));
    if (tree) {
      const LaneMap map = routing.sl2vl;
      routing = route(find_engine("ar_updn"), model);
      routing.lanes = test::random_lanes(routing.tables, seed, seed % 2 == 0 ? 1 : 4);
      routing.sl2vl = map;
    }
    for (const Sources sources : {Sources::kAll, Sources::kTerminals}) {
      EveryChoice every(fabric, routing);
      for (const Endpoint& source : ends_of(fabric, sources)) {
        for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
          const Endpoint to = endpoint(routing.tables, destination);
          if (to == source || (sources == Sources::kTerminals && to.is_switch())) continue;
          every.follow(source, destination);
        }
      }
      std::uint64_t count = 0;
      for (const auto& [from, to] : every.dependencies()) count += to.size();
      const Deadlock deadlock = find_deadlock(fabric, routing, sources, 2);
      ASSERT_EQ(deadlock.lanes.size(), 1U);
      EXPECT_EQ(deadlock.lanes[0].dependencies, count);
      EXPECT_EQ(deadlock.free(), !has_cycle(every.dependencies()));
      ++(deadlock.free() ? acyclic : cyclic);
      const auto& cycle = deadlock.lanes[0].cycle;
      for (std::size_t i = 0; i < cycle.size(); ++i) {
        const Dependency& next = cycle[(i + 1) % cycle.size()];
        const Held held{cycle[i].channel, cycle[i].lane}, wanted{next.channel, next.lane};
        const Endpoint& to = cycle[i].destination;
        EveryChoice one(fabric, routing);
        one.follow(cycle[i].source, to.is_switch()
                                        ? routing.tables.destination(to.sw)
                                        : routing.tables.destination(to.terminal, cycle[i].offset));
        ASSERT_TRUE(one.dependencies().contains(held));
        EXPECT_TRUE(one.dependencies().at(held).contains(wanted))
            << "the pair named does not wait so";
      }
      if (!deadlock.free()) continue;
      const std::string proof = proof_of(fabric, routing, sources, deadlock);
      EXPECT_TRUE(check_proof(proof, fabric, routing).holds())
          << check_proof(proof, fabric, routing).why_not;
      Deadlock backwards = deadlock;
      std::ranges::reverse(backwards.lanes[0].order);
      std::ranges::reverse(backwards.lanes[0].lane_at);
      EXPECT_EQ(check_proof(proof_of(fabric, routing, sources, backwards), fabric, routing).holds(),
                count == 0);
    }
  }
  EXPECT_GT(cyclic, 20U);
  EXPECT_GT(acyclic, 20U);
}

// What some choice sends into the lane of management is lost.
TEST(ChangingLanes, OfAdaptiveTablesCountWhatIsDiscarded) {
  std::uint64_t discarded = 0, kept = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const Model model(seed % 2 == 0 ? make_fabric("xgft(2;2,3;1,2)")
                                    : test::random_fabric(seed, 5));
    const Fabric& fabric = model.fabric();
    Routing routing = adaptive_with_lanes(fabric, seed, 4);
    if (seed % 2 == 0) {
      const LaneMap map = routing.sl2vl;
      routing = route(find_engine("ar_updn"), model);
      routing.lanes = test::random_lanes(routing.tables, seed, 4);
      routing.sl2vl = map;
    }
    LaneOfSl bad{0, 15, 0, 0};
    const auto s = static_cast<Switch>(seed % fabric.num_switches());
    const std::uint32_t ports = fabric.ports(fabric.node(s));
    const auto out = static_cast<Port>(1 + static_cast<std::uint32_t>(seed) % ports);
    for (const Port in : ids<Port>(ports + 1)) routing.sl2vl.set(s, in, out, bad);
    PairCounts counts;
    for (const Endpoint& source : ends_of(fabric, Sources::kAll)) {
      for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
        const Endpoint to = endpoint(routing.tables, destination);
        if (to == source) continue;
        EveryChoice every(fabric, routing);
        const EveryChoice::Outcome outcome = every.follow(source, destination);
        if (outcome.lost || !outcome.discarded) {
          ++kept;
          continue;
        }
        ++(source.is_switch() ? to.is_switch() ? counts.switch_switch : counts.switch_terminal
           : to.is_switch()   ? counts.terminal_switch
                              : counts.terminal_terminal);
      }
    }
    const Verdict verdict = verify(model, routing);
    EXPECT_EQ(verdict.discarded.pairs, counts);
    discarded += counts.total();
  }
  EXPECT_GT(discarded, 20U);
  EXPECT_GT(kept, 20U);
}

}  // namespace
}  // namespace fatwood
