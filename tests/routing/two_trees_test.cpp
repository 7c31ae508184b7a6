// SPDX-License-Identifier: BSD-3-Clause
// Two separate trees above the same leaves: the joint of the switches (turn_order.hpp) keeps all
// its paths, so that adaptive groups spread as evenly as those of ar_ftree.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "analysis/bounds/evenness.hpp"
#include "analysis/load/even_split.hpp"
#include "analysis/rates/bottleneck.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "support/real_fabrics.hpp"
#include "support/wiring.hpp"
#include "topology/change/faults.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {
namespace {

struct TwoTrees {
  std::uint32_t leaves, lines, spines, cables;  // of a leaf to different lines of each box
};

// Two boxes whose lines are joined to all its spines; leaves in pairs have the same lines.
Fabric two_trees(const TwoTrees& wanted) {
  const std::uint32_t box = wanted.lines + wanted.spines;
  test::Wiring wiring{{}, std::vector<std::uint32_t>(wanted.leaves + 2 * box)};
  for (std::uint32_t leaf = 0; leaf < wanted.leaves; ++leaf) wiring.hosts[leaf] = 4;
  for (std::uint32_t first = wanted.leaves; first < wiring.hosts.size(); first += box) {
    for (std::uint32_t i = 0; i < wanted.leaves * wanted.cables; ++i) {
      const std::uint32_t leaf = i / wanted.cables;
      const std::uint32_t line = (leaf / 2 * wanted.cables + i % wanted.cables) % wanted.lines;
      wiring.cables.emplace_back(leaf, first + line);
    }
    for (std::uint32_t i = 0; i < wanted.lines * wanted.spines; ++i) {
      wiring.cables.emplace_back(first + i / wanted.spines,
                                 first + wanted.lines + i % wanted.spines);
    }
  }
  return test::build(wiring);
}

// Of the links between switches, hosts sending all to all and groups spreading evenly.
Fraction most_loaded_link(const Model& model, const char* engine) {
  const Fabric& fabric = model.fabric();
  const LinkLoads loads = even_split_loads(model, route(find_engine(engine), model, {.threads = 1}),
                                           all_to_all(fabric.num_terminals()));
  Fraction most;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c) || !fabric.is_switch(fabric.owner(c)) ||
        !fabric.is_switch(fabric.neighbour(c)))
      continue;
    most = std::max(most, loads.load(c));
  }
  return most;
}

TEST(TwoTrees, AdaptiveGroupsOfTheJointUseAllItsCables) {
  for (const TwoTrees& wanted : {TwoTrees{12, 8, 4, 2}, {16, 8, 2, 4}, {12, 4, 6, 1}}) {
    SCOPED_TRACE(testing::Message() << wanted.leaves << " leaves, " << wanted.cables << " cables");
    const Model model(two_trees(wanted));
    const Fraction ftree = most_loaded_link(model, "ar_ftree");
    EXPECT_LE(most_loaded_link(model, "ar_updn"), ftree);
    EXPECT_LE(most_loaded_link(model, "ar_even"), ftree);
  }
}

// A switch with one cable to a root that no other path leads to: its traffic uses its other cables,
// too.
TEST(TwoTrees, AdaptiveGroupsOfADamagedTreeUseAllCables) {
  const Fabric tree = make_fabric("ft(12,3)");
  const std::vector<FaultRequest> orders = {{FaultKind::kCut, "8%", {}}};
  for (const std::uint64_t seed : {3U, 5U, 6U}) {
    const Model model(with_faults(tree, find_faults(tree, orders, {.seed = seed})));
    const Fraction groups = most_loaded_link(model, "ar_updn");
    EXPECT_LE(groups.value(), 1.5 * most_loaded_link(model, "ar_even").value()) << seed;
  }
}

// Of the links between switches, as parts of their speeds.
double most_loaded(const Model& model, const LinkLoads& flows) {
  const LinkLoads loads = weighed(model, flows);
  double largest = 0;
  for (const Channel c : ids<Channel>(model.fabric().num_channels())) {
    if (model.fabric().between_switches(c)) largest = std::max(largest, loads.load(c).value());
  }
  return largest;
}

// Groups split what tables keep together, so they need not be worse where cables are missing.
TEST(TwoTrees, AdaptiveGroupsAreAsEvenAsTablesOnRealFabrics) {
  for (const std::string& name :
       test::here({"like-stage", "like-dgx-ndr", "dgx-ndr/ibnetdiscover.txt", "x5/X5.topofile",
                   "stage/ibnetdiscover.txt", "plafrim/ib-subnet.txt"})) {
    const Model model(load_fabric(name).fabric);
    const Traffic traffic = all_to_all(model.adapters().size());
    const LinkLoads groups = even_split_loads(model, route(find_engine("ar_even"), model), traffic);
    const auto paths = path_source(model, route(find_engine("even"), model));
    EXPECT_LE(most_loaded(model, groups),
              1.05 * most_loaded(model, link_loads(model, *paths, traffic)))
        << name;
  }
}

// The most loaded link is that of a leaf with few cables; behind it all cuts are even, too.
TEST(TwoTrees, AdaptiveGroupsAreEvenInEveryCut) {
  for (const std::string& name : test::here({"like-dgx-ndr", "x5/X5.topofile"})) {
    const Model model(load_fabric(name).fabric);
    const BottleneckRates rates = bottleneck_rates(model, route(find_engine("ar_even"), model));
    const Evenness evenness =
        find_evenness(model, rates.loads, ports_of_all(model), Splitting::kAnything);
    EXPECT_LE(evenness.mean, 1.02) << name;
    EXPECT_EQ(evenness.above(1.05), 0U) << name;
  }
}

// Where a switch holds few groups, the search takes what fits.
TEST(TwoTrees, GroupsFitTheLimitWhereArUpdnDoes) {
  const Model model(load_fabric("like-dgx-ndr").fabric);
  const auto most_groups = [&](const char* engine, std::optional<unsigned> limit) {
    const Routing routing = route(find_engine(engine), model, {.max_groups = limit, .threads = 1});
    std::size_t most = 0;
    for (const Switch s : ids<Switch>(model.fabric().num_switches())) {
      most = std::max(most, routing.sets.groups(s).size());
    }
    return most;
  };
  const auto limit = static_cast<unsigned>(most_groups("ar_updn", {})) + 20;
  EXPECT_GT(most_groups("ar_even", {}), limit);
  EXPECT_LE(most_groups("ar_even", limit), limit);
}

}  // namespace
}  // namespace fatwood
