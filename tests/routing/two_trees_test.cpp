// SPDX-License-Identifier: BSD-3-Clause
// Two separate trees above the same leaves: the joint of the switches (turn_order.hpp) keeps all
// its paths, so that adaptive groups spread as evenly as those of ar_ftree.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "analysis/load/even_split.hpp"
#include "io/fabric/load_fabric.hpp"
#include "routing/engine.hpp"
#include "support/real_fabrics.hpp"
#include "support/wiring.hpp"
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

// Groups split what tables keep together, so they need not be worse where cables are missing. (On
// x5 they are: docs/adaptive.md.)
TEST(TwoTrees, AdaptiveGroupsAreAsEvenAsTablesOnLifelikeFabrics) {
  for (const std::string& name :
       test::here({"like-stage", "like-dgx-ndr", "dgx-ndr/ibnetdiscover.txt"})) {
    const Model model(load_fabric(name).fabric);
    const Traffic traffic = all_to_all(model.adapters().size());
    const auto most = [&](const LinkLoads& flows) {
      const LinkLoads loads = weighed(model, flows);  // by speed
      double largest = 0;
      for (const Channel c : ids<Channel>(model.fabric().num_channels())) {
        if (!model.fabric().connected(c) || !model.fabric().is_switch(model.fabric().owner(c)) ||
            !model.fabric().is_switch(model.fabric().neighbour(c)))
          continue;
        largest = std::max(largest, loads.load(c).value());
      }
      return largest;
    };
    const double groups =
        most(even_split_loads(model, route(find_engine("ar_even"), model), traffic));
    const auto paths = path_source(model, route(find_engine("even"), model));
    EXPECT_LE(groups, 1.05 * most(link_loads(model, *paths, traffic))) << name;
  }
}

}  // namespace
}  // namespace fatwood
