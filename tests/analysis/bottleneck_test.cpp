// SPDX-License-Identifier: BSD-3-Clause
// Bottleneck rates and evenness of cuts: against slow code by the definitions, against max-min fair
// rates, and by hand.

#include "analysis/rates/bottleneck.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "analysis/load/even_split.hpp"
#include "analysis/rates/max_min.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "routing/tables/path_source.hpp"
#include "support/real_fabrics.hpp"
#include "support/small_fabrics.hpp"
#include "topology/change/faults.hpp"
#include "topology/channel_speeds.hpp"
#include "topology/hosts/participants.hpp"

namespace fatwood {
namespace {

Fabric cut_tree(const std::string& spec, const std::string& what, std::uint64_t seed = 1) {
  const Fabric fabric = make_fabric(spec);
  const std::vector<FaultRequest> orders = {{FaultKind::kCut, what, {}}};
  return with_faults(fabric,
                     find_faults(fabric, orders, {.seed = seed, .connection = Connection::kKept}));
}

// By the definition: flows counted path by path, the rate of each pair as a fraction.
struct SlowRates {
  std::vector<Fraction> sorted;  // of all pairs with a path
  std::map<std::pair<Adapter, Adapter>, Fraction> of;
  Fraction at(std::size_t percent) const {
    return sorted[std::max<std::size_t>((sorted.size() * percent + 99) / 100, 1) - 1];
  }
};
SlowRates slow_rates(const Model& model, const PathSource& paths,
                     const std::vector<Adapter>& adapters) {
  const ChannelSpeeds& speeds = model.speeds();
  std::map<Channel, Fraction> flows;
  const auto each_pair = [&](auto visit) {
    for (const Adapter a : adapters) {
      for (const Adapter b : adapters) {
        if (a == b) continue;
        const PathList list = paths.paths(a, b);
        if (!list.empty()) visit(a, b, list);
      }
    }
  };
  each_pair([&](Adapter, Adapter, const PathList& list) {
    for (const Channel c : list.all()) {
      flows[c] += Fraction(1, static_cast<std::int64_t>(list.size()));
    }
  });
  SlowRates rates;
  each_pair([&](Adapter a, Adapter b, const PathList& list) {
    Fraction least = INT32_MAX;
    for (const Channel c : list.all()) {
      least = std::min(least, Fraction(speeds.speed(c), speeds.usual()) / flows[c] *
                                  Fraction(static_cast<std::int64_t>(adapters.size()) - 1));
    }
    rates.sorted.push_back(least);
    rates.of[{a, b}] = least;
  });
  std::ranges::sort(rates.sorted);
  return rates;
}

std::vector<Adapter> all_hosts(const Model& model) {
  std::vector<Adapter> adapters;
  for (const Adapter adapter : ids<Adapter>(model.adapters().size())) adapters.push_back(adapter);
  return adapters;
}

void expect_same(const Model& model, const PathSource& paths,
                 const std::vector<Adapter>& adapters) {
  const SlowRates slow = slow_rates(model, paths, adapters);
  const BottleneckRates rates = bottleneck_rates(model, paths, ports_of(model, adapters), 2);
  EXPECT_EQ(rates.adapters, adapters.size());
  ASSERT_EQ(rates.pairs, slow.sorted.size());
  EXPECT_EQ(rates.unreachable, adapters.size() * (adapters.size() - 1) - rates.pairs);
  EXPECT_EQ(rates.worst, slow.sorted.front());
  EXPECT_EQ(rates.p1, slow.at(1));
  EXPECT_EQ(rates.p10, slow.at(10));
  EXPECT_EQ(rates.median, slow.at(50));
  std::uint64_t limited = rates.at_ports;
  for (const LimitingLink& link : rates.links) limited += link.pairs;
  EXPECT_EQ(limited, rates.pairs);
}

TEST(Bottleneck, AgreesWithTheDefinition) {
  for (const std::string& name : test::small_lifelike_fabrics()) {
    SCOPED_TRACE(name);
    const Model model(load_fabric(name).fabric);
    if (model.adapters().size() > 300) continue;
    for (const char* engine : {"minhop", "sftree"}) {
      const auto paths = path_source(model, route(find_engine(engine), model));
      expect_same(model, *paths, all_hosts(model));
      std::vector<Adapter> some;
      for (const Adapter adapter : all_hosts(model)) {
        if (index(adapter) % 3 != 1) some.push_back(adapter);
      }
      expect_same(model, *paths, some);
    }
  }
}

TEST(Bottleneck, SeveralAddressesAndClosedForms) {
  const Model model(make_fabric("ft(4,3)"));
  expect_same(model, *path_source(model, route(find_engine("sftree"), model, {.lmc = 1})),
              all_hosts(model));
  const Model damaged(cut_tree("pgft(3;4,4,3;1,2,2;1,2,1)", "10%"));
  expect_same(damaged, *path_source(damaged, route(find_engine("sftree"), damaged, {.lmc = 1})),
              all_hosts(damaged));
}

TEST(Bottleneck, PairsWithoutARouteAreCountedApart) {
  const Model model(make_fabric("ft(4,2)"));
  Routing routing = route(find_engine("sftree"), model);
  // Nobody reaches the first host from another leaf.
  const Switch leaf = model.fabric().leaf(Terminal{0});
  const Destination destination = routing.tables.destination(Terminal{0});
  for (const Switch s : ids<Switch>(model.fabric().num_switches())) {
    if (s != leaf) routing.tables.row(destination)[index(s)] = kNoRoute;
  }
  const auto paths = path_source(model, routing);
  const BottleneckRates rates = bottleneck_rates(model, *paths, ports_of_all(model));
  EXPECT_EQ(rates.unreachable, 6U);  // 8 hosts, 2 on each leaf
  expect_same(model, *paths, all_hosts(model));
}

TEST(Bottleneck, NeverAboveMaxMinFairRates) {
  for (const char* engine : {"minhop", "sftree", "even"}) {
    const Model model(cut_tree("pgft(3;4,4,3;1,2,2;1,2,1)", "10%"));
    const auto paths = path_source(model, route(find_engine(engine), model));
    const std::vector<Adapter> adapters = all_hosts(model);
    const SlowRates slow = slow_rates(model, *paths, adapters);
    ShareProblem problem;
    problem.capacity.assign(model.fabric().num_channels(), 1);
    problem.first.push_back(0);
    for (const auto& [pair, rate] : slow.of) {
      const PathList list = paths->paths(pair.first, pair.second);
      for (const Channel c : list.all()) problem.uses.push_back({index(c), 1});
      problem.first.push_back(static_cast<std::uint32_t>(problem.uses.size()));
    }
    const Shares shares = max_min_shares(problem);
    double least = 1e9;
    std::size_t v = 0;
    const auto others = static_cast<double>(adapters.size() - 1);
    for (const auto& [pair, rate] : slow.of) {
      EXPECT_LE(rate.value(), others * shares.rate[v] * (1 + 1e-9));
      least = std::min(least, others * shares.rate[v++]);
    }
    // The worst pair has its fair rate: the most loaded link is the first to fill.
    const auto worst = bottleneck_rates(model, *paths, ports_of_all(model)).worst.value();
    EXPECT_NEAR(worst, least, 1e-9 * least);
  }
}

TEST(Bottleneck, OfParticipantsAlone) {
  const Model model(cut_tree("pgft(3;4,4,3;1,2,2;1,2,1)", "10%"));
  const auto paths = path_source(model, route(find_engine("sftree"), model));
  std::vector<Host> listed;
  for (const Host h : ids<Host>(model.hosts().hosts.size())) {
    if (index(h) % 3 != 1) listed.push_back(h);
  }
  const Participants who = participants_of(model, listed, "list");
  const Model measured = measured_model(model, who);
  ASSERT_EQ(measured.adapters().size(), listed.size());
  const auto among = paths_among(measured, model, *paths);
  const SlowRates slow = slow_rates(model, *paths, who.adapters);
  const BottleneckRates rates = bottleneck_rates(measured, *among, ports_of_all(measured));
  EXPECT_EQ(rates.adapters, listed.size());
  EXPECT_EQ(rates.worst, slow.sorted.front());
  EXPECT_EQ(rates.p1, slow.at(1));
  EXPECT_EQ(rates.median, slow.at(50));
  expect_same(measured, *among, all_hosts(measured));
}

// The least u / L on any way that adaptive tables allow, by trying all of them.
Fraction least_on_any_path(const Model& model, const Routing& routing, const LinkLoads& loads,
                           Switch at, Terminal to) {
  const Fabric& fabric = model.fabric();
  Fraction least = INT32_MAX;
  for (const Port port : routing.ports(at, routing.tables.destination(to))) {
    const Channel c = fabric.channel(fabric.node(at), port);
    least = std::min(least, Fraction(1) / loads.load(c));
    if (fabric.is_switch(fabric.neighbour(c))) {
      least = std::min(least, least_on_any_path(model, routing, loads,
                                                fabric.as_switch(fabric.neighbour(c)), to));
    }
  }
  return least;
}

TEST(Bottleneck, AdaptiveTablesByAllWays) {
  const Model model(cut_tree("pgft(3;4,4,3;1,2,2;1,2,1)", "10%"));
  for (const char* engine : {"ar_updn", "ar_ftree"}) {
    SCOPED_TRACE(engine);
    const Routing routing = route(find_engine(engine), model);
    const auto paths = path_source(model, Routing(routing));
    const std::size_t n = model.adapters().size();
    const LinkLoads loads = even_split_loads(model, routing, all_to_all(n));
    std::vector<Fraction> slow;
    for (const Terminal s : ids<Terminal>(n)) {
      for (const Terminal d : ids<Terminal>(n)) {
        if (s == d) continue;
        const Fraction sends = Fraction(1) / loads.load(model.fabric().terminal_channel(s));
        slow.push_back(
            Fraction(static_cast<std::int64_t>(n) - 1) *
            std::min(sends, least_on_any_path(model, routing, loads, model.fabric().leaf(s), d)));
      }
    }
    std::ranges::sort(slow);
    const BottleneckRates rates = bottleneck_rates(model, *paths, ports_of_all(model));
    EXPECT_EQ(rates.pairs, slow.size());
    EXPECT_EQ(rates.worst, slow.front());
    EXPECT_EQ(rates.p1, slow[(slow.size() + 99) / 100 - 1]);
    EXPECT_EQ(rates.median, slow[(slow.size() + 1) / 2 - 1]);
  }
}

TEST(Bottleneck, ByHand) {
  // Two leaves of three hosts, one cable: nine flows each way on it, five on a port.
  const Model model(make_fabric("xgft(2;3,2;1,1)"));
  const auto paths = path_source(model, route(find_engine("sftree"), model));
  const BottleneckRates rates = bottleneck_rates(model, *paths, ports_of_all(model));
  EXPECT_EQ(rates.worst, Fraction(5, 9));
  EXPECT_EQ(rates.median, Fraction(5, 9));  // 18 of 30 pairs
  EXPECT_EQ(rates.at_ports, 12U);
  const Evenness evenness =
      find_evenness(model, rates.loads, ports_of_all(model), Splitting::kBundles);
  ASSERT_EQ(evenness.loads.size(), 4U);
  EXPECT_EQ(evenness.loads[0].least, Fraction(9));
  EXPECT_EQ(evenness.mean, 1);
  const std::vector<Bottleneck> list = bottlenecks(model, rates, evenness);
  std::uint64_t pairs = 0;
  for (const Bottleneck& one : list) {
    pairs += one.pairs;
    EXPECT_EQ(one.best_possible, Fraction(5, 9));
  }
  EXPECT_EQ(pairs, 18U);
}

// What crosses a set of switches, pair by pair.
TEST(Evenness, SharesAreWhatCrosses) {
  for (const char* spec : {"ft(4,3)", "pgft(3;4,4,3;1,2,2;1,2,1)"}) {
    const Model model(cut_tree(spec, "8%", 3));
    const std::vector<TreeCut> cuts = tree_cuts(model.fabric(), model.levels());
    const auto shares = all_to_all_shares(model, cuts, ports_of_all(model));
    EXPECT_FALSE(shares.empty());
    for (const CutShare& share : shares) {
      const TreeCut& cut = cuts[share.cut];
      const auto inside = [&](Adapter adapter) {
        return std::ranges::binary_search(cut.switches,
                                          model.adapters().leaf(model.fabric(), adapter));
      };
      double crossing = 0;
      for (const Adapter a : all_hosts(model)) {
        for (const Adapter b : all_hosts(model)) crossing += inside(a) && !inside(b) ? 1 : 0;
      }
      EXPECT_EQ(share.flows, crossing);
      EXPECT_DOUBLE_EQ(share.fair.value(), crossing / static_cast<double>(cut.links.size()));
      EXPECT_GE(share.tables, share.fair);
      for (const Channel c : cut.links) {
        EXPECT_GT(model.levels().level[model.fabric().as_switch(model.fabric().neighbour(c))],
                  cut.level);
      }
      if (cut.switches.size() == 1 && share.crossing == CutDirection::kOut) {
        const auto adapters =
            static_cast<std::int64_t>(std::ranges::count_if(all_hosts(model), inside));
        const auto links = static_cast<std::int64_t>(cut.links.size());
        const auto others = static_cast<std::int64_t>(model.adapters().size()) - adapters;
        EXPECT_EQ(share.tables, Fraction(adapters * ((others + links - 1) / links)));
      }
    }
  }
}

TEST(Evenness, NoTablesAreBelowTheBound) {
  for (const std::string_view name : test::small_fabric_names()) {
    const Model model(test::small_fabric(std::string(name)));
    for (const Engine& engine : engines()) {
      Routing routing;
      try {
        routing = route(engine, model);
      } catch (const std::exception&) {
        continue;  // not for this fabric
      }
      if (!routing.sets.empty() || !routing.source_routes.empty()) continue;
      SCOPED_TRACE(std::string(name) + " " + std::string(engine.name));
      const auto paths = path_source(model, std::move(routing));
      const BottleneckRates rates = bottleneck_rates(model, *paths, ports_of_all(model));
      if (rates.unreachable > 0) continue;
      const Evenness evenness = find_evenness(model, rates.loads, ports_of_all(model),
                                              Splitting::kBundles, paths->addresses());
      for (const CutLoad& cut : evenness.loads) EXPECT_GE(cut.load, cut.least);
      EXPECT_EQ(evenness.above(0.999), evenness.loads.size());
    }
  }
}

}  // namespace
}  // namespace fatwood
