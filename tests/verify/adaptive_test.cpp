// SPDX-License-Identifier: BSD-3-Clause
// Adaptive engines on every small fabric: what they promise holds for every choice, groups are all
// ports of least hops, and the single statements of the verifier about hand-made tables.

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/load/channel_use.hpp"
#include "core/error.hpp"
#include "core/random.hpp"
#include "io/fabric/spec.hpp"
#include "routing/adaptive/port_sets_builder.hpp"
#include "routing/engine.hpp"
#include "support/damaged_tree.hpp"
#include "support/fabrics.hpp"
#include "support/small_fabrics.hpp"
#include "verify/verify.hpp"

namespace fatwood {
namespace {

class AdaptiveEngine : public testing::TestWithParam<std::string> {};

TEST_P(AdaptiveEngine, KeepsItsPromiseWhateverIsChosen) {
  const Engine& engine = find_engine(GetParam());
  for (const std::string_view name : test::small_fabric_names()) {
    SCOPED_TRACE(name);
    const Model model(test::small_fabric(std::string(name)));
    Routing routing;
    try {
      routing = route(engine, model, {.lmc = 1});
    } catch (const PromiseError&) {
      EXPECT_NE(engine.needs, "");
      continue;
    }
    const std::string base = GetParam() == "ar_updn" ? "updn+" : GetParam().substr(3);
    const Routing plain = route(find_engine(base), model, {.lmc = 1});
    EXPECT_EQ(routing.tables, plain.tables);
    if (routing.sets.empty()) continue;  // nowhere two ports
    const Verdict verdict = verify(model, routing);
    const Verdict of_plain = verify(model, plain);
    EXPECT_TRUE(verdict.deadlock.free());
    EXPECT_EQ(verdict.reachability.unreachable, of_plain.reachability.unreachable);
    EXPECT_EQ(verdict.reachability.loops, 0U);
    // Every choice is as short as the plain route.
    EXPECT_EQ(verdict.hops.all.pairs, of_plain.hops.all.pairs);
    EXPECT_EQ(verdict.adaptive->fewest.all.pairs, of_plain.hops.all.pairs);
    for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
      for (const Switch s : ids<Switch>(model.fabric().num_switches())) {
        const Port own = routing.tables.at(destination, s);
        const auto ports = routing.ports(s, destination);
        if (own == kNoRoute) continue;
        EXPECT_NE(std::ranges::find(ports, own), ports.end());
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Adaptive, AdaptiveEngine, testing::Values("ar_updn", "ar_ftree"),
                         [](const auto& named) { return named.param; });

TEST(AdaptiveEngines, TakeAllPortsUpAndOneDownInAWholeTree) {
  const Model model(make_fabric("ft(8,3)"));
  const Fabric& fabric = model.fabric();
  const Levels& levels = model.levels();
  for (const char* const name : {"ar_updn", "ar_ftree"}) {
    SCOPED_TRACE(name);
    const Routing routing = route(find_engine(name), model);
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      const Switch home = fabric.leaf(t);
      for (const Switch s : ids<Switch>(fabric.num_switches())) {
        const std::size_t ports = routing.ports(s, routing.tables.destination(t)).size();
        const auto first = routing.ports(s, routing.tables.destination(t)).front();
        const Channel c = fabric.channel(fabric.node(s), first);
        const bool up =
            s != home && fabric.is_switch(fabric.neighbour(c)) && step(fabric, levels, c) > 0;
        EXPECT_EQ(ports, up ? 4U : 1U);
      }
    }
    EXPECT_LE(routing.sets.bytes(), routing.tables.num_destinations() * fabric.num_switches());
  }
}

// Of the channels between switches, when all send to all and switches split evenly.
double max_load(const Model& model, const Routing& routing) {
  return spread_of_flows(model, find_channel_use(model, routing)).largest.value();
}

TEST(AdaptiveEngines, ArEvenCutsGroupsOfArUpdnAndIsEvener) {
  for (const auto& [spec, share] :
       {std::pair{"ft(4,3)", 0.0}, {"ft(8,3)", 0.1}, {"pgft(3;4,4,4;1,4,2;1,1,2)", 0.1}}) {
    for (const std::uint64_t seed : {1U, 2U}) {
      SCOPED_TRACE(spec);
      const Model model(test::damaged_tree(make_fabric(spec), seed, share).fabric);
      const Routing whole = route(find_engine("ar_updn"), model);
      const Routing even = route(find_engine("ar_even"), model, {.threads = 1});
      const Routing again = route(find_engine("ar_even"), model, {.threads = 3});
      EXPECT_EQ(even.tables, again.tables);
      EXPECT_TRUE(even.sets == again.sets);
      // Cuts are balanced one by one: the most loaded link of all may carry a little more.
      EXPECT_LE(max_load(model, even), max_load(model, whole) * 1.05);
      // Groups split equally, so on 64 hosts the split is coarse; on real fabrics 1.05 holds.
      EXPECT_LE(max_load(model, even), max_load(model, route(find_engine("even"), model)) * 1.1);
      for (const Destination destination : ids<Destination>(even.tables.num_destinations())) {
        for (const Switch s : ids<Switch>(model.fabric().num_switches())) {
          const auto of = whole.ports(s, destination);
          const auto cut = even.ports(s, destination);
          EXPECT_TRUE(std::ranges::includes(of, cut));
          EXPECT_EQ(of.empty(), cut.empty());
        }
      }
      EXPECT_TRUE(verify(model, even).holds());
    }
  }
}

TEST(AdaptiveEngines, SayHowManyGroupsTheyTake) {
  const Model model(make_fabric("pgft(2;4,4;1,2;1,2)"));  // groups of two cables down
  EXPECT_NO_THROW(route(find_engine("ar_updn"), model, {.max_groups = 4}));
  try {
    route(find_engine("ar_updn"), model, {.max_groups = 3});
    FAIL();
  } catch (const PromiseError& error) {
    EXPECT_NE(std::string(error.what()).find("takes 4 groups of ports on S2_0; 3 are allowed"),
              std::string::npos)
        << error.what();
  }
}

TEST(AdaptiveEngines, MarkTheirEntriesAsAsked) {
  const Model model(make_fabric("ft(4,2)"));
  const Routing routing = route(find_engine("ar_updn"), model, {.choice = EntryState::kHashed});
  const Destination far =
      routing.tables.destination(static_cast<Terminal>(model.fabric().num_terminals() - 1));
  EXPECT_EQ(routing.sets.state(Switch{0}, far), EntryState::kHashed);
}

// Adaptive tables made by hand: entries of a switch for a destination with these ports.
struct Hand {
  const Fabric& fabric;
  Routing routing;
  PortSetsBuilder builder;
  std::vector<std::vector<PortSets::Kind>> rows;
  std::vector<GroupNumber> next;

  Hand(const Fabric& f, ForwardingTables tables)
      : fabric(f),
        builder(f),
        rows(tables.num_destinations(), std::vector<PortSets::Kind>(f.num_switches())),
        next(f.num_switches(), 1) {
    routing.engine = "hand";
    routing.tables = std::move(tables);
  }
  void group(Switch s, Destination destination, std::vector<Port> ports) {
    const GroupNumber number = next[index(s)]++;
    builder.add_group(s, number, {{.ports = std::move(ports), .weight = 0}});
    rows[index(destination)][index(s)] =
        builder.kind(s, EntryState::kFree, number, routing.tables.at(destination, s));
  }
  Routing done() {
    for (const Destination destination : ids<Destination>(rows.size())) {
      builder.set_row(destination, rows[index(destination)]);
    }
    routing.sets = std::move(builder).build(rows.size());
    return std::move(routing);
  }
};

TEST(Adaptive, APortThatLeadsRoundIsNamed) {
  const Model model(make_fabric("xgft(2;2,3;1,2)"));  // leaves 0 to 2: up by 1, 2; spines 3 and 4
  Hand hand(model.fabric(), route(find_engine("updn+"), model).tables);
  const Destination to = hand.routing.tables.destination(Terminal{4});  // on leaf 2
  hand.group(Switch{0}, to, {Port{1}, Port{2}});
  hand.group(Switch{1}, to, {Port{1}, Port{2}});
  hand.group(Switch{3}, to, {Port{3}, Port{2}});  // down to leaf 1 as well
  hand.group(Switch{4}, to, {Port{3}, Port{1}});  // and to leaf 0
  const Verdict verdict = verify(model, hand.done());
  EXPECT_FALSE(verdict.holds());
  EXPECT_GT(verdict.reachability.loops, 0U);
  ASSERT_TRUE(verdict.reachability.first_loop);
  EXPECT_EQ(verdict.reachability.first_loop->destination, to);
  EXPECT_EQ(verdict.reachability.first_loop->switches.size(), 4U);
  EXPECT_EQ(verdict.adaptive->never.total(), 0U);
  ASSERT_TRUE(verdict.adaptive->first_risky);
  EXPECT_EQ(verdict.adaptive->first_risky->destination, to);
  EXPECT_TRUE(*verdict.adaptive->static_holds);
}

// A ring of which each switch may send either way round, or by updn+: a cycle of the union, but a
// packet that waits for both ports always has one that moves.
TEST(Adaptive, SomeChoiceMovesWhereTheUnionHasACycle) {
  const Model model(test::ring(5));
  const Fabric& fabric = model.fabric();
  const ForwardingTables plain = route(find_engine("updn+"), model).tables;
  Hand hand(fabric, plain);
  const ForwardingTables shortest = route(find_engine("minhop"), model).tables;
  for (const Destination destination : ids<Destination>(plain.num_destinations())) {
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      if (plain.at(destination, s) == shortest.at(destination, s)) continue;
      hand.group(s, destination, {plain.at(destination, s), shortest.at(destination, s)});
    }
  }
  const Routing routing = hand.done();
  ASSERT_FALSE(routing.sets.empty());
  const Verdict verdict = verify(model, routing);
  if (!verdict.deadlock.free()) {
    ASSERT_TRUE(verdict.adaptive->some);
    EXPECT_EQ(verdict.holds_for_some(),
              verdict.reachability.whole() && verdict.adaptive->some->free());
  }
}

TEST(Adaptive, CoverageOfATree) {
  const Model model(make_fabric("ft(4,3)"));  // 16 hosts, 8 leaves
  const Routing routing = route(find_engine("ar_ftree"), model);
  const Verdict verdict = verify(model, routing);
  ASSERT_TRUE(verdict.adaptive);
  const Coverage& coverage = verdict.adaptive->coverage;
  // Cores: down by one port each; spines: 4 hosts below by one port, 12 above by two; leaves up.
  ASSERT_EQ(coverage.rows.size(), 4U);
  const auto row = [&](std::size_t i, Level level, HopDirection direction, std::uint64_t entries,
                       std::uint64_t alone) {
    EXPECT_EQ(coverage.rows[i].level, level);
    EXPECT_EQ(coverage.rows[i].direction, direction);
    EXPECT_EQ(coverage.rows[i].entries, entries);
    EXPECT_EQ(coverage.rows[i].alone, alone);
  };
  row(0, 3, HopDirection::kDown, 4 * 16, 4 * 16);
  row(1, 2, HopDirection::kUp, 8 * 12, 0);
  row(2, 2, HopDirection::kDown, 8 * 4, 8 * 4);
  row(3, 1, HopDirection::kUp, 8 * 14, 0);
  EXPECT_EQ(coverage.pairs, 16U * 14U);
  EXPECT_EQ(coverage.exposed, 16U * 14U);    // every way comes down by cables without another
  EXPECT_EQ(coverage.exposed_notified, 0U);  // but there are two such ways
}

TEST(Adaptive, CoverageFindsTheCableThatAllWaysTake) {
  const Model model(test::ring(4));
  const Fabric& fabric = model.fabric();
  Hand hand(fabric, route(find_engine("updn+"), model).tables);
  const Destination to = hand.routing.tables.destination(Terminal{2});
  hand.group(Switch{0}, to, {Port{1}, Port{2}});  // both ways round to switch 2
  const Verdict verdict = verify(model, hand.done());
  ASSERT_TRUE(verdict.holds());
  const Coverage& coverage = verdict.adaptive->coverage;
  EXPECT_EQ(coverage.pairs, 12U);
  EXPECT_EQ(coverage.exposed, 12U);
  EXPECT_EQ(coverage.exposed_notified, 11U);  // all but H0 to H2
  EXPECT_NE(coverage.first_cable, kNone<Channel>);
}

// The kind of a packet, which is one only.
const PacketKind& kind_of(const std::vector<PacketKind>& kinds, unsigned level, unsigned transport,
                          bool in_order) {
  const PacketKind* found = nullptr;
  for (const PacketKind& kind : kinds) {
    for (const Packets& packets : kind.packets) {
      if (packets.in_order != in_order || (packets.levels >> level & 1U) == 0 ||
          (packets.transports >> transport & 1U) == 0) {
        continue;
      }
      EXPECT_EQ(found, nullptr);
      found = &kind;
    }
  }
  return *found;
}

TEST(Adaptive, EachPacketIsOfTheKindThatChoosesWhereItDoes) {
  Random random(5, 1);
  Table<Switch, AdaptiveSettings> settings;
  for (int s = 0; s < 7; ++s) {
    AdaptiveSettings set;
    set.known = s != 0;
    set.enabled = random.below(4) != 0;
    set.by_level = random.below(2) != 0;
    set.hashing_supported = random.below(3) == 0;
    set.hashed_by_level = true;
    set.levels = static_cast<std::uint16_t>(random.below(3));
    set.hashed_levels = static_cast<std::uint16_t>(random.below(16));
    set.transports_off = static_cast<std::uint16_t>(random.below(2) * 5);
    settings.push_back(set);
  }
  const std::vector<PacketKind> kinds = packet_kinds(settings, settings.size());
  EXPECT_GT(kinds.size(), 3U);
  for (unsigned level = 0; level < 16; ++level) {
    for (unsigned transport = 0; transport < kNumTransports; ++transport) {
      for (const bool in_order : {false, true}) {
        const PacketKind& kind = kind_of(kinds, level, transport, in_order);
        std::size_t choosing = 0;
        for (const Switch s : ids<Switch>(settings.size())) {
          const AdaptiveSettings& set = settings[s];
          bool free = false;
          if (set.known) {
            const bool level_on = set.by_level ? (set.levels & (1U << level)) != 0 : true;
            const bool transport_on = (set.transports_off & (1U << transport)) == 0;
            free = set.enabled && level_on && transport_on && !in_order;
            if (set.hashing_supported && (set.hashed_levels & (1U << level)) != 0) free = true;
          } else {
            free = !in_order;
          }
          EXPECT_EQ(kind.chooses[s] != 0, free);
          choosing += free ? 1 : 0;
        }
        EXPECT_EQ(kind.choosing, choosing);
      }
    }
  }
}

// Spines that send packets of level 0 down to the wrong leaf, too.
TEST(Adaptive, KindsOfPacketsAreJudgedByTheirOwnGroups) {
  const Model model(make_fabric("xgft(2;2,3;1,2)"));
  Hand hand(model.fabric(), route(find_engine("updn+"), model).tables);
  const Destination to = hand.routing.tables.destination(Terminal{4});
  hand.group(Switch{0}, to, {Port{1}, Port{2}});
  hand.group(Switch{1}, to, {Port{1}, Port{2}});
  hand.group(Switch{3}, to, {Port{3}, Port{2}});
  hand.group(Switch{4}, to, {Port{3}, Port{1}});
  const Routing routing = hand.done();
  Table<Switch, AdaptiveSettings> settings(5);
  for (AdaptiveSettings& set : settings) {
    set.known = set.enabled = set.by_level = true;
    set.levels = 0b11;
  }
  settings[Switch{3}].levels = settings[Switch{4}].levels = 0b01;
  const Verdict verdict = verify(model, routing, {.settings = &settings});
  EXPECT_FALSE(verdict.holds());
  const std::vector<KindVerdict>& kinds = verdict.adaptive->kinds;
  ASSERT_EQ(kinds.size(), 3U);
  EXPECT_EQ(kinds[0].kind.choosing, 5U);
  EXPECT_GT(kinds[0].loops, 0U);
  EXPECT_EQ(kinds[0].unreachable.total(), verdict.reachability.unreachable.total());
  EXPECT_EQ(kinds[1].kind.choosing, 3U);
  EXPECT_EQ(kinds[1].kind.packets.front(), (Packets{.levels = 0b10, .transports = 15}));
  EXPECT_TRUE(kinds[1].holds());
  EXPECT_EQ(kinds[2].kind.choosing, 0U);
  EXPECT_TRUE(kinds[2].holds());
  // What holds for every choice holds for each kind.
  const Verdict every =
      verify(model, route(find_engine("ar_updn"), model), {.settings = &settings});
  for (const KindVerdict& one : every.adaptive->kinds) {
    EXPECT_TRUE(one.holds());
  }
}

}  // namespace
}  // namespace fatwood
