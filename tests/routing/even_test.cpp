// SPDX-License-Identifier: BSD-3-Clause
// even: complete trees keep sftree's tables; on damaged ones every cut is near its fair share, and
// neither shifts nor random permutations pay for it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "analysis/bounds/cuts.hpp"
#include "analysis/bounds/evenness.hpp"
#include "analysis/load/channel_use.hpp"
#include "analysis/permutations/permutation_study.hpp"
#include "analysis/rates/bottleneck.hpp"
#include "core/error.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "routing/even/even_swaps.hpp"
#include "routing/tree/sftree.hpp"
#include "support/real_fabrics.hpp"
#include "support/wiring.hpp"
#include "topology/builder.hpp"
#include "topology/change/faults.hpp"
#include "topology/levels/tree_cuts.hpp"
#include "verify/reach/reachability.hpp"

namespace fatwood {
namespace {

Fabric damaged(const std::string& spec, FaultKind kind, const std::string& what,
               std::uint64_t seed) {
  const Fabric fabric = make_fabric(spec);
  const std::vector<FaultRequest> orders = {{kind, what, {}}};
  return with_faults(fabric,
                     find_faults(fabric, orders, {.seed = seed, .connection = Connection::kKept}));
}

double max_load(const Model& model, const Routing& routing) {
  return spread_of_flows(model, find_channel_use(model, routing)).largest.value();
}

// What a leaf's cables must carry, counted here: all that it sends, over its cables; with tables,
// so many times its hosts as there are addresses for the fullest cable. What divides all leaves'
// hosts divides all loads.
struct LeafBounds {
  double any = 0, tables = 0;
  std::uint64_t chunk = 0;
};
LeafBounds leaf_bounds(const Model& model) {
  const Fabric& fabric = model.fabric();
  LeafBounds bounds;
  std::vector<double> hosts(fabric.num_switches());
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) ++hosts[index(fabric.leaf(t))];
  const auto all = static_cast<double>(fabric.num_terminals());
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    double cables = 0;
    for (const Channel c : fabric.channels(fabric.node(s))) {
      if (fabric.connected(c) && fabric.is_switch(fabric.neighbour(c))) ++cables;
    }
    const double own = hosts[index(s)];
    if (own == 0 || cables == 0) continue;
    bounds.chunk = std::gcd(bounds.chunk, static_cast<std::uint64_t>(own));
    bounds.any = std::max(bounds.any, own * (all - own) / cables);
    bounds.tables = std::max(bounds.tables, own * std::ceil((all - own) / cables));
  }
  return bounds;
}

TEST(Even, KeepsTheTablesOfWholeTrees) {
  for (const char* spec : {"switch648", "ft(8,3)", "ft(16,3)", "kary(2,4)", "xgft(3;4,4,8;1,4,4)",
                           "pgft(3;6,6,3;1,6,3;1,1,2)", "pgft(2;24,4;1,2;1,6)"}) {
    const Model model(make_fabric(spec));
    EXPECT_EQ(route(find_engine("even"), model).tables, route(find_engine("sftree"), model).tables)
        << spec;
  }
}

Evenness evenness(const Model& model, Routing routing) {
  const auto paths = path_source(model, std::move(routing));
  const auto takes_part = ports_of_all(model);
  const BottleneckRates rates = bottleneck_rates(model, *paths, takes_part);
  EXPECT_EQ(rates.unreachable, 0U);
  return find_evenness(model, rates.loads, takes_part, Splitting::kBundles, paths->addresses());
}

TEST(Even, EveryCutIsNearItsFairShare) {
  struct Case {
    const char* spec;
    FaultKind kind;
    const char* what;
    double mean, worst;  // at most
  };
  for (const auto& [spec, kind, what, mean, worst] :
       std::vector<Case>{{"switch648", FaultKind::kCut, "1%", 1.015, 1.04},
                         {"switch648", FaultKind::kCut, "10%", 1.01, 1.04},
                         {"switch648", FaultKind::kRemove, "1@2", 1.01, 1.02},
                         {"ft(16,3)", FaultKind::kCut, "2%", 1.03, 1.08},
                         {"ft(16,3)", FaultKind::kCut, "5%", 1.05, 1.12},
                         {"ft(16,3)", FaultKind::kRemove, "1@2", 1.02, 1.03},
                         {"ft(16,3)", FaultKind::kRemove, "1@3", 1.02, 1.05},
                         {"pgft(3;18,18,6;1,18,3;1,1,6)", FaultKind::kCut, "3%", 1.02, 1.05}}) {
    for (const std::uint64_t seed : {1U, 2U}) {
      SCOPED_TRACE(fmt::format("{} {} seed {}", spec, what, seed));
      const Model model(damaged(spec, kind, what, seed));
      const LeafBounds bounds = leaf_bounds(model);
      EXPECT_GE(all_to_all_bound(model).value(), bounds.any - 1e-6);
      // Jobs have priority over the last percent.
      for (const auto& [aim, more] : {std::pair{Aim::kAllToAll, 0.0}, {Aim::kJobs, 0.01}}) {
        const Evenness even = evenness(model, route(find_engine("even"), model, {.aim = aim}));
        EXPECT_LE(even.mean, mean + more);
        EXPECT_LE(even.loads[even.worst].evenness(), worst + more);
      }
    }
  }
}

// Leaves that share a line card with one cable each send all between them over it, unless paths may
// be longer.
TEST(Even, LongerPathsRelieveDirectorsCabledByHand) {
  const Model model(make_fabric("directors(24,12)"));
  const Fabric& fabric = model.fabric();
  const Routing sftree = route(find_engine("sftree"), model);
  const Routing least = route(find_engine("even"), model, {.longer = 0});
  const Routing longer = route(find_engine("even"), model);
  const auto excess = [&](const Routing& routing) {
    return find_reach_and_lengths(fabric, routing).minimality.worst_excess;
  };
  EXPECT_EQ(excess(least), excess(sftree));
  EXPECT_EQ(excess(longer), excess(sftree) + 2);
  const auto worst_pair = [&](const Routing& routing) {
    const auto paths = path_source(model, routing);
    return bottleneck_rates(model, *paths, ports_of_all(model)).worst.value();
  };
  EXPECT_GT(worst_pair(longer), 1.5 * worst_pair(least));
  EXPECT_GT(evenness(model, least).mean, 1.1);
  EXPECT_LT(evenness(model, longer).mean, 1.06);
  EXPECT_EQ(route(find_engine("even"), model, {.longer = 2, .threads = 1}).tables, longer.tables);
}

// Where short paths are enough, none is longer.
TEST(Even, TakesNoLongerPathInTrees) {
  const Model model(damaged("ft(8,3)", FaultKind::kCut, "2%", 1));
  EXPECT_EQ(route(find_engine("even"), model).tables,
            route(find_engine("even"), model, {.longer = 0}).tables);
}

TEST(Even, DoesNotPayInShiftsAndPermutations) {
  const Model model(damaged("ft(16,3)", FaultKind::kCut, "5%", 1));
  const auto studied = [&](const char* engine) {
    const auto paths = path_source(model, route(find_engine(engine), model));
    const auto kernel = permutation_load(model, *paths);
    return std::pair(
        shift_study(*kernel, model.adapters().size(), 0),
        permutation_study(*kernel, model.adapters().size(), {.first_samples = 400, .width = 1}));
  };
  const auto [shifts, permutations] = studied("even");
  const auto [sftree_shifts, sftree_permutations] = studied("sftree");
  EXPECT_LT(shifts.mean, 0.85 * sftree_shifts.mean);
  EXPECT_LE(shifts.worst, sftree_shifts.worst);
  EXPECT_LT(permutations.mean, 1.025 * sftree_permutations.mean);
}

TEST(Even, DoesNotPayWhereSwitchesAreGone) {
  double shifts = 0;
  double permutations = 0;
  constexpr std::uint64_t kThrows = 4;
  for (std::uint64_t seed = 1; seed <= kThrows; ++seed) {
    const Fabric spine = damaged("ft(8,3)", FaultKind::kRemove, "2@2", seed);
    const std::vector<FaultRequest> core = {{FaultKind::kRemove, "1@3", {}}};
    const Model model(with_faults(
        spine, find_faults(spine, core, {.seed = seed, .connection = Connection::kKept})));
    const auto studied = [&](const char* engine) {
      const auto paths = path_source(model, route(find_engine(engine), model));
      const auto kernel = permutation_load(model, *paths);
      return std::pair(
          shift_study(*kernel, model.adapters().size(), 0).mean,
          permutation_study(*kernel, model.adapters().size(), {.first_samples = 400, .width = 1})
              .mean);
    };
    const auto even = studied("even");
    const auto sftree = studied("sftree");
    shifts += even.first / sftree.first / kThrows;
    permutations += even.second / sftree.second / kThrows;
  }
  EXPECT_LT(shifts, 1.2);
  EXPECT_LT(permutations, 1.02);
}

// Loads and shifts after exchanges are those of a fresh count of the tables.
TEST(EvenSwaps, KeepCountsAndGoals) {
  const Model model(damaged("ft(6,3)", FaultKind::kRemove, "1@2", 2));
  SubTreeRouting laid = lay_sftree(model, {});
  std::vector<std::uint32_t> descending;
  for (const Switch s : laid.sub.descending) descending.push_back(index(s));
  const auto counted = [&](EvenNet& net) {
    constexpr std::size_t kBytes = std::size_t{1} << 20U;
    count_loads(net, descending, laid.tree.tables);
    ShiftContention contention(net, kBytes, kBytes);
    count_contention(contention, net, descending, laid.tree.tables, 3);
    return contention;
  };
  EvenNet net(model, laid.tree.up_down, laid.tree.tables, {});
  ShiftContention contention = counted(net);
  for (EvenChannel& channel : net.channel) channel.limit = channel.load + 3;
  const std::vector<EvenChannel> before = net.channel;
  const auto fourth_powers = [&](ShiftContention& of) {
    std::size_t sum = 0;
    for (std::size_t count = 1; count < 16; ++count) {
      const std::size_t step =
          count * count * count * count - (count - 1) * (count - 1) * (count - 1) * (count - 1);
      sum += step * of.num_reaching(static_cast<std::uint32_t>(count));
    }
    return sum;
  };
  const std::size_t congested = fourth_powers(contention);
  EvenSwaps(net, contention, laid.sub.rank, laid.tree.tables).run();
  EvenNet again(model, laid.tree.up_down, laid.tree.tables, {});
  ShiftContention fresh = counted(again);
  for (std::size_t slot = 0; slot < before.size(); ++slot) {
    EXPECT_EQ(net.channel[slot].load, again.channel[slot].load);
    EXPECT_LE(again.channel[slot].load, before[slot].load + 3);
  }
  for (std::uint32_t count = 1; count < 8; ++count) {
    EXPECT_EQ(contention.num_reaching(count), fresh.num_reaching(count));
  }
  EXPECT_LT(fourth_powers(fresh), congested);
}

TEST(Even, HasTheSameTablesAtAnyNumberOfThreads) {
  const Model model(damaged("ft(8,3)", FaultKind::kCut, "5%", 3));
  const Routing one = route(find_engine("even"), model, {.threads = 1});
  EXPECT_EQ(one.tables, route(find_engine("even"), model, {.threads = 4}).tables);
  EXPECT_NE(one.tables, route(find_engine("sftree"), model).tables);
}

TEST(Even, IsEvenOverAllAddresses) {
  const Model model(damaged("ft(8,3)", FaultKind::kCut, "5%", 3));
  const LeafBounds bounds = leaf_bounds(model);
  const double sftree = max_load(model, route(find_engine("sftree"), model, {.lmc = 2}));
  const double even = max_load(model, route(find_engine("even"), model, {.lmc = 2}));
  EXPECT_GE(even, bounds.any);
  EXPECT_LT(even, 0.9 * sftree);
  EXPECT_LE(evenness(model, route(find_engine("even"), model, {.lmc = 2})).mean, 1.08);
}

// What a traffic puts on the most loaded channel between switches: each flow is followed entry by
// entry, here.
std::uint64_t most_loaded_by_walking(const Model& model, const Routing& routing,
                                     const std::vector<PairDemand>& demands) {
  const Fabric& fabric = model.fabric();
  std::map<std::pair<Switch, Port>, std::uint64_t> load;  // by switch and port
  for (const PairDemand& demand : demands) {
    const Destination destination = routing.tables.destination(demand.destination, 0);
    for (Switch s = fabric.leaf(demand.source); s != fabric.leaf(demand.destination);) {
      const Port port = routing.tables.row(destination)[index(s)];
      load[{s, port}] += demand.amount;
      s = fabric.as_switch(fabric.neighbour(fabric.channel(fabric.node(s), port)));
    }
  }
  std::uint64_t most = 0;
  for (const auto& [where, flows] : load) most = std::max(most, flows);
  return most;
}

// A job on every other host, all to all: d-mod-k gives it half of the ports.
std::vector<PairDemand> half_of_all(std::uint32_t adapters) {
  std::vector<PairDemand> demands;
  for (std::uint32_t a = 0; a < adapters; a += 2) {
    for (std::uint32_t b = 0; b < adapters; b += 2) {
      if (a != b) demands.push_back({Terminal{a}, Terminal{b}, 3});
    }
  }
  return demands;
}

TEST(Even, IsEvenForDemands) {
  for (const char* damage : {"5%", "0"}) {
    const Model model(damaged("ft(8,3)", FaultKind::kCut, damage, 3));
    const auto demands = half_of_all(static_cast<std::uint32_t>(model.adapters().size()));
    const Routing all = route(find_engine("even"), model);
    const Routing job =
        route(find_engine("even"), model, {.aim = Aim::kDemands, .demands = demands});
    EXPECT_LT(static_cast<double>(most_loaded_by_walking(model, job, demands)),
              0.9 * static_cast<double>(most_loaded_by_walking(model, all, demands)))
        << damage;
    // All to all pays for it, but not all it has.
    EXPECT_LT(max_load(model, job), 2 * max_load(model, route(find_engine("sftree"), model)));
  }
}

TEST(Even, QuickTablesAreNearTheBoundToo) {
  const Model model(damaged("ft(16,3)", FaultKind::kCut, "5%", 1));
  const Routing quick = route(find_engine("even"), model, {.quick = true});
  EXPECT_LE(evenness(model, quick).mean, 1.06);
}

TEST(Even, AnAimThatCantBeIsRefused) {
  const Model model(make_fabric("ft(4,2)"));
  const std::vector<PairDemand> one = {{Terminal{0}, Terminal{1}, 1}};
  const auto refused = [&](const char* engine, const RouteOptions& options) {
    EXPECT_THROW(route(find_engine(engine), model, options), InputError);
  };
  refused("sftree", {.aim = Aim::kShifts});
  refused("even", {.aim = Aim::kDemands});
  refused("even", {.demands = one});
  refused("even", {.aim = Aim::kDemands, .demands = {{Terminal{0}, Terminal{99}, 1}}});
}

// Leaves of four hosts under two spines, as many cables to each; every fourth leaf has hosts with
// two ports: both there, or one on the next leaf.
Fabric with_two_ports(unsigned leaves, bool on_two_leaves) {
  FabricBuilder builder;
  const auto left = builder.add_switch("left", 36);
  const auto right = builder.add_switch("right", 36);
  std::vector<FabricBuilder::Handle> leaf;
  for (unsigned l = 0; l < leaves; ++l) {
    leaf.push_back(builder.add_switch(fmt::format("leaf{}", l), 36));
    for (std::uint32_t p = 0; p < 2; ++p) {
      builder.connect(leaf[l], static_cast<Port>(30 + p), left, static_cast<Port>(2 * l + p + 1));
      if (l != 1 || p == 0)
        builder.connect(leaf[l], static_cast<Port>(32 + p), right,
                        static_cast<Port>(2 * l + p + 1));
    }
  }
  for (unsigned l = 0; l < leaves; ++l) {
    for (std::uint32_t p = 1; p <= 4; ++p) {
      const bool two = l % 4 == 0 && p > 1;
      const auto host = builder.add_adapter(fmt::format("H{}_{}", l, p), two ? 2 : 1);
      builder.connect(host, Port{1}, leaf[l], static_cast<Port>(p));
      if (two)
        builder.connect(host, Port{2}, leaf[on_two_leaves ? (l + 1) % leaves : l],
                        static_cast<Port>(p + 4));
    }
  }
  return builder.build();
}

TEST(Even, CountsHostsWithSeveralPortsOnce) {
  for (const bool on_two_leaves : {false, true}) {
    const Model model(with_two_ports(9, on_two_leaves));
    // All that crosses the cables of each leaf, by flows from port to port.
    const Fabric& fabric = model.fabric();
    const Adapters& adapters = model.adapters();
    std::vector<Fraction> out(fabric.num_switches(), 0);
    std::vector<Fraction> in(fabric.num_switches(), 0);
    for (const Adapter a : ids<Adapter>(adapters.size())) {
      for (const Adapter b : ids<Adapter>(adapters.size())) {
        if (a == b) continue;
        const auto pairs = adapters.port_pairs(a, b);
        for (const auto& [from, to] : pairs) {
          if (fabric.leaf(from) == fabric.leaf(to)) continue;
          out[index(fabric.leaf(from))] += Fraction(1, static_cast<std::int64_t>(pairs.size()));
          in[index(fabric.leaf(to))] += Fraction(1, static_cast<std::int64_t>(pairs.size()));
        }
      }
    }
    Fraction most = 0;
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      const int cables = display_name(fabric, fabric.node(s)) == "leaf1" ? 3 : 4;
      most = std::max({most, out[index(s)] / Fraction(cables), in[index(s)] / Fraction(cables)});
    }
    EXPECT_EQ(all_to_all_bound(model), most);
    const double least = tables_bound(model, all_to_all(adapters.size())).value();
    EXPECT_GE(least, most.value() - 1e-9);
    EXPECT_LE(max_load(model, route(find_engine("even"), model)), 1.07 * least);
  }
}

TEST(Even, IsNoWorseThanSftreeOnLifelikeFabrics) {
  for (const std::string& name : test::small_lifelike_fabrics()) {
    const Model model(load_fabric(name).fabric);
    EXPECT_LE(max_load(model, route(find_engine("even"), model)),
              max_load(model, route(find_engine("sftree"), model)))
        << name;
  }
}

// Pods without cores: each is a tree of its own, with 56 hosts on other leaves than one's own.
TEST(Even, EachPartIsNearItsOwnBound) {
  const Fabric whole = make_fabric("ft(16,3)");
  const std::vector<FaultRequest> orders = {{FaultKind::kCut, "@2-3", {}},
                                            {FaultKind::kCut, "5%", {}}};
  const Model model(with_faults(whole, find_faults(whole, orders, {.seed = 2})));
  ASSERT_EQ(model.components().count, 16U + 64U);
  double any = 0, tables = 0;
  for (const Switch s : ids<Switch>(128)) {
    const double cables = model.port_graph().width(s);
    any = std::max(any, 8 * 56 / cables);
    tables = std::max(tables, 8 * std::ceil(56 / cables));
  }
  EXPECT_LE(max_load(model, route(find_engine("even"), model)), std::max(1.02 * any, tables));
  EXPECT_GT(max_load(model, route(find_engine("sftree"), model)), tables);
}

// Bundles of 3, 3 and 2 for a host behind two cables: one cable has two of them.
TEST(Even, TablesCannotSplitBundlesThatCross) {
  test::Wiring wiring{{}, {1, 3, 3, 2, 0, 0}};
  for (std::uint32_t leaf = 0; leaf < 4; ++leaf) {
    wiring.cables.emplace_back(leaf, 4);
    wiring.cables.emplace_back(leaf, 5);
  }
  const Model model(test::build(wiring));
  const std::vector<TreeCut> cuts = tree_cuts(model.fabric(), model.levels());
  for (const CutShare& share : all_to_all_shares(model, cuts, model.counted())) {
    if (cuts[share.cut].switches != std::vector{Switch{0}}) continue;
    EXPECT_EQ(share.fair, Fraction(4));
    EXPECT_EQ(share.tables, Fraction(share.crossing == CutDirection::kIn ? 5 : 4));
  }
  EXPECT_EQ(cuts.size(), 4U);
}

// Switches here have paths of many lengths. A search that computes them anew for each length takes
// longer than anybody waits.
TEST(Even, EndsWhereSwitchesHavePathsOfManyLengths) {
  const Model model(make_fabric("random(200,1200,terminals=400)"));
  const Routing routing = route(find_engine("even"), model, {.quick = true});
  EXPECT_EQ(find_reachability(model.fabric(), routing).lost().total(), 0U);
  EXPECT_LE(max_load(model, routing), max_load(model, route(find_engine("sftree"), model)));
}

}  // namespace
}  // namespace fatwood
