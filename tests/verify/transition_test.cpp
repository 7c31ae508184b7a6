// SPDX-License-Identifier: BSD-3-Clause
// Transitions: what is called safe in any order has no loop in any mixture of old and new entries,
// and a counter-example is one.

#include "verify/transition.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/random.hpp"
#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "topology/builder.hpp"
#include "verify/deadlock/deadlock.hpp"

namespace fatwood {
namespace {

bool loops(const Model& model, std::span<const Port> row) {
  for (std::uint32_t start = 0; start < row.size(); ++start) {
    std::uint32_t at = start;
    for (std::size_t hops = 0;; ++hops) {
      const Hop hop = model.hop_map().at(at, row[at]);
      if (!hop.to_switch()) break;
      if (hops > row.size()) return true;
      at = hop.next();
    }
  }
  return false;
}

// Whether some mixture of the two rows loops: all of them are tried.
bool some_mixture_loops(const Model& model, std::span<const Port> before,
                        std::span<const Port> after) {
  std::vector<std::uint32_t> changed;
  for (std::uint32_t s = 0; s < before.size(); ++s) {
    if (before[s] != after[s]) changed.push_back(s);
  }
  for (std::uint32_t mixture = 0; mixture < 1U << changed.size(); ++mixture) {
    std::vector<Port> row(before.begin(), before.end());
    for (std::size_t i = 0; i < changed.size(); ++i) {
      if ((mixture >> i & 1) != 0) row[changed[i]] = after[changed[i]];
    }
    if (loops(model, row)) return true;
  }
  return false;
}

// A leaf under two spines under one core; the cable from spine s to the leaf was cut.

Fabric four_switches() {
  FabricBuilder builder;
  const auto leaf = builder.add_switch("leaf", 4);
  const auto s = builder.add_switch("s", 4);
  const auto t = builder.add_switch("t", 4);
  const auto core = builder.add_switch("core", 4);
  const auto host = builder.add_adapter("H", 1);
  builder.connect(host, Port{1}, leaf, Port{1});
  builder.connect(leaf, Port{3}, t, Port{1});
  builder.connect(s, Port{2}, core, Port{1});
  builder.connect(t, Port{2}, core, Port{2});
  return builder.build();
}

TEST(Transition, TheLoopOfFourSwitchesIsFoundAndTwoRoundsAvoidIt) {
  const Model model(four_switches());
  ForwardingTables old(1, 4, 0);
  const Destination destination = old.destination(Terminal{0});
  const auto set = [&](ForwardingTables& tables, std::array<std::uint8_t, 4> row) {
    std::ranges::transform(row, tables.row(destination).begin(),
                           [](std::uint8_t p) { return Port{p}; });
  };
  ForwardingTables now = old;
  // leaf, s, t, core: before, the core went down by s, whose cable to the leaf (port 1) is gone.
  set(old, {1, 1, 1, 1});
  set(now, {1, 2, 1, 2});
  const Transition transition = find_transition(model, old, now);
  ASSERT_EQ(transition.safety, Safety::kRounds);
  ASSERT_EQ(transition.loop.size(), 1U);
  EXPECT_EQ(transition.loop[0].switches.size(), 2U);
  EXPECT_EQ(transition.loop[0].written, std::vector<Switch>{Switch{1}});
  ASSERT_EQ(transition.rounds.size(), 2U);
  EXPECT_TRUE(transition.rounds[0].drain_after);
  EXPECT_EQ(transition.rounds[0].clear, (std::vector<TableEntry>{{destination, Switch{1}}}));
  EXPECT_EQ(transition.rounds[0].write, (std::vector<TableEntry>{{destination, Switch{3}}}));
  EXPECT_EQ(transition.rounds[1].write, (std::vector<TableEntry>{{destination, Switch{1}}}));
  // And by hand: that mixture loops, no state of the two rounds does.
  EXPECT_TRUE(some_mixture_loops(model, old.row(destination), now.row(destination)));
}

TEST(Transition, EqualTablesNeedNothing) {
  const Model model(make_fabric("ft(4,2)"));
  const ForwardingTables tables = route(find_engine("ftree"), model).tables;
  const Transition transition = find_transition(model, tables, tables);
  EXPECT_EQ(transition.safety, Safety::kAnyOrder);
  EXPECT_EQ(transition.entries, 0U);
  EXPECT_TRUE(transition.rounds.empty());
}

// A random tree towards the destination: from its switch outwards, a random cable at a time.
ForwardingTables random_tables(const Model& model, std::uint64_t seed) {
  const Fabric& fabric = model.fabric();
  const PortGraph& graph = model.port_graph();
  ForwardingTables tables(fabric.num_terminals(), fabric.num_switches(), 0);
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    Random random(seed, index(t));
    const auto row = tables.row(tables.destination(t));
    std::vector<std::uint32_t> joined{index(fabric.leaf(t))};
    row[joined[0]] = fabric.leaf_port(t);
    while (joined.size() < fabric.num_switches()) {
      const auto u = static_cast<std::uint32_t>(
          random.below(static_cast<std::uint32_t>(fabric.num_switches())));
      if (row[u] != kNoRoute) continue;
      const IdRange<Trunk> trunks = graph.trunks(Switch{u});
      const Trunk g = trunks[random.below(trunks.size())];
      if (row[index(graph.neighbour(g))] == kNoRoute) continue;
      row[u] = graph.ports(g).front();
      joined.push_back(u);
    }
  }
  return tables;
}

bool is_free(const Model& model, const ForwardingTables& tables) {
  Routing routing;
  routing.tables = tables;
  return find_deadlock(model.fabric(), routing).free();
}

// Of rounds in any order within each: no mixture of a round's tables with those before it loops, no
// dependency that it allows closes a cycle, and the last round ends with the new tables.
bool check_rounds(const Model& model, const ForwardingTables& old, const ForwardingTables& now,
                  const Transition& transition, const std::string& what) {
  if (transition.safety != Safety::kRounds || !transition.rounds[0].order.empty()) return false;
  ForwardingTables state = old;
  for (const Round& round : transition.rounds) {
    const ForwardingTables before = state;
    for (const auto& [destination, s] : round.write)
      state.row(destination)[index(s)] = now.at(destination, s);
    for (const auto& [destination, s] : round.clear) state.row(destination)[index(s)] = kNoRoute;
    EXPECT_EQ(find_transition(model, before, state).safety, Safety::kAnyOrder) << what;
    for (const Destination destination : ids<Destination>(old.num_destinations())) {
      EXPECT_FALSE(some_mixture_loops(model, before.row(destination), state.row(destination)))
          << what;
    }
    EXPECT_TRUE(is_free(model, state)) << what;
  }
  EXPECT_EQ(state, now) << what;
  return true;
}

TEST(Transition, VerdictsAgreeWithAllMixturesOfSmallTables) {
  std::size_t safe = 0;
  std::size_t looping = 0;
  std::size_t rounds = 0;
  const auto look = [&](const Model& model, const ForwardingTables& old,
                        const ForwardingTables& now, const std::string& what) {
    const Transition transition = find_transition(model, old, now);
    bool any = false;
    for (const Destination destination : ids<Destination>(old.num_destinations())) {
      any = any || some_mixture_loops(model, old.row(destination), now.row(destination));
    }
    EXPECT_EQ(transition.safety == Safety::kNone, !is_free(model, old) || !is_free(model, now))
        << what;
    if (transition.safety == Safety::kAnyOrder) {
      EXPECT_FALSE(any) << what;
      ++safe;
    }
    EXPECT_EQ(!transition.loop.empty(), any) << what;
    rounds += check_rounds(model, old, now, transition, what) ? 1U : 0U;
    if (transition.loop.empty()) return;
    // The reported mixture loops.
    ++looping;
    const MixedLoop& loop = transition.loop.front();
    std::vector<Port> row(old.row(loop.destination).begin(), old.row(loop.destination).end());
    for (const Switch s : loop.written) row[index(s)] = now.at(loop.destination, s);
    EXPECT_TRUE(loops(model, row)) << what;
  };
  for (const char* spec : {"ring(4)", "torus(2,3)", "xgft(2;2,2;1,2)", "hypercube(3)"}) {
    const Model model(make_fabric(spec));
    for (const char* a : {"minhop", "updn+", "bfot"}) {
      for (const char* b : {"minhop", "dnup", "sssp"}) {
        look(model, route(find_engine(a), model).tables, route(find_engine(b), model).tables,
             std::string(spec) + ' ' + a + ' ' + b);
      }
    }
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      look(model, random_tables(model, seed), random_tables(model, seed + 100),
           std::string(spec) + " random");
    }
  }
  EXPECT_GT(safe, 5U);
  EXPECT_GT(looping, 10U);
  EXPECT_GT(rounds, 10U);
}

// All that packets can wait for in one lane, walked from every source that sends in it.
class SlowLane {
 public:
  SlowLane(const Model& model, const ForwardingTables& old, const ForwardingTables& now)
      : model_(model), old_(old), now_(now) {}

  void walk(Destination destination, Switch from, Channel held,
            std::set<std::pair<Channel, Channel>>& dependencies,
            std::set<std::pair<Switch, Channel>>& seen) const {
    if (!seen.emplace(from, held).second) return;
    const Fabric& fabric = model_.fabric();
    for (const ForwardingTables* tables : {&old_, &now_}) {
      const Port port = tables->at(destination, from);
      const Hop hop = model_.hop_map().at(from, port);
      if (!hop.to_switch()) continue;
      const Channel out = fabric.channel(fabric.node(from), port);
      if (held != kNone<Channel>) dependencies.emplace(held, out);
      walk(destination, Switch{hop.next()}, out, dependencies, seen);
    }
  }
  static bool has_cycle(std::set<std::pair<Channel, Channel>> dependencies) {
    for (bool trimmed = true; trimmed;) {  // a wait for what waits for nothing is in none
      trimmed = false;
      for (auto at = dependencies.begin(); at != dependencies.end();) {
        const auto on = dependencies.lower_bound({at->second, Channel{0}});
        const bool goes_on = on != dependencies.end() && on->first == at->second;
        trimmed = trimmed || !goes_on;
        at = goes_on ? std::next(at) : dependencies.erase(at);
      }
    }
    return !dependencies.empty();
  }
  bool any_order(const Lanes& before, const Lanes& after) const {
    for (unsigned lane = 0; lane < std::max(before.count, after.count); ++lane) {
      std::set<std::pair<Channel, Channel>> dependencies;
      for (const Destination destination : ids<Destination>(old_.num_destinations())) {
        std::set<std::pair<Switch, Channel>> seen;
        for (const Switch s : ids<Switch>(old_.num_switches())) {
          if (before.at(destination, s) == lane || after.at(destination, s) == lane) {
            walk(destination, s, kNone<Channel>, dependencies, seen);
          }
        }
      }
      if (has_cycle(std::move(dependencies))) return false;
    }
    return true;
  }

 private:
  const Model& model_;
  const ForwardingTables& old_;
  const ForwardingTables& now_;
};

TEST(Transition, LanesAreJudgedEachByItself) {
  std::size_t safe = 0, rounds = 0, none = 0;
  for (const char* spec : {"ring(5)", "torus(3,3)", "hypercube(3)", "random(8,14,seed=2)"}) {
    const Model model(make_fabric(spec));
    std::vector<Routing> routings;
    for (const char* engine : {"dfsssp", "lash", "updn+", "minhop"}) {
      routings.push_back(route(find_engine(engine), model));
    }
    for (const Routing& old : routings) {
      for (const Routing& now : routings) {
        const Transition found =
            find_transition(model, old.tables, now.tables, 1, {&old.lanes, &now.lanes});
        EXPECT_EQ(found.safety == Safety::kAnyOrder,
                  SlowLane(model, old.tables, now.tables).any_order(old.lanes, now.lanes))
            << spec << ' ' << old.engine << ' ' << now.engine;
        safe += found.safety == Safety::kAnyOrder ? 1U : 0U;
        none += found.safety == Safety::kNone ? 1U : 0U;
        if (found.safety != Safety::kRounds) continue;
        // Each round by itself, in any order.
        ++rounds;
        ForwardingTables state = old.tables;
        for (const Round& round : found.rounds) {
          const ForwardingTables before = state;
          for (const auto& [destination, s] : round.write) {
            state.row(destination)[index(s)] = now.tables.at(destination, s);
          }
          for (const auto& [destination, s] : round.clear)
            state.row(destination)[index(s)] = kNoRoute;
          EXPECT_TRUE(SlowLane(model, before, state).any_order(old.lanes, now.lanes))
              << spec << ' ' << old.engine << ' ' << now.engine;
        }
        EXPECT_EQ(state, now.tables);
      }
    }
  }
  EXPECT_GT(safe, 3U);
  EXPECT_GT(rounds, 3U);
  EXPECT_GT(none, 3U);
}

}  // namespace
}  // namespace fatwood
