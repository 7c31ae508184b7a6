// SPDX-License-Identifier: BSD-3-Clause
// BFOT, BFOT+ and APOT on the examples of [Chiu02] and on the shared small fabrics.

#include "routing/ordered/ordered_links.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "io/fabric/spec.hpp"
#include "oracle/ordered_routes.hpp"
#include "oracle/routes.hpp"
#include "routing/engine.hpp"
#include "routing/ordered/apot.hpp"
#include "routing/ordered/bfot.hpp"
#include "studies/topologies_of_chiu02.hpp"
#include "support/small_fabrics.hpp"
#include "topology/builder.hpp"
#include "topology/generate/cable_list.hpp"

namespace fatwood {
namespace {

std::vector<std::vector<Channel>> all_paths(const SourceRoutes& routes) {
  std::vector<std::vector<Channel>> paths;
  for (const Switch s : ids<Switch>(routes.switches)) {
    for (const Switch d : ids<Switch>(routes.switches)) {
      const auto path = routes.at(s, d);
      paths.emplace_back(path.begin(), path.end());
    }
  }
  return paths;
}

struct LayeredLink {
  std::uint32_t a, b;
  std::uint8_t layer;
};

// Switches and links in given layers.
OrderedLinks layered_links(std::uint32_t switches, const std::vector<LayeredLink>& links) {
  CableList list{switches, {}};
  for (const LayeredLink& link : links) list.cables.emplace_back(link.a, link.b);
  const Fabric fabric = with_terminals(list, 0);
  LinkLayers layers(fabric.num_channels());
  for (const LayeredLink& link : links) {
    for (const Channel c : cables_from(fabric, Switch{link.a}, Switch{link.b})) {
      layers[c] = layers[fabric.peer(c)] = link.layer;
    }
  }
  return order_links(fabric, layers);
}

TEST(OrderedLinks, LayersAreForestsTakenGreedily) {
  for (const std::string_view name : test::small_fabric_names()) {
    const Fabric fabric = test::small_fabric(std::string(name));
    for (const LinkOrder order : {LinkOrder::kBySweep, LinkOrder::kByDegree}) {
      EXPECT_EQ(oracle::fault_of_layers(order_links(fabric, order)), "") << name;
    }
  }
}

TEST(OrderedLinks, LinksOfWellConnectedSwitchesComeFirstByDegree) {
  // Switch 0 has four neighbours. By number a link between lesser ones is tried before 3-4.
  FabricBuilder builder;
  const std::pair<std::uint32_t, std::uint32_t> kLinks[] = {{0, 1}, {0, 2}, {1, 2}, {2, 3},
                                                            {0, 4}, {3, 4}, {1, 5}, {4, 5}};
  std::vector<std::uint32_t> used(6);
  for (std::uint32_t s = 0; s < 6; ++s) builder.add_switch(fmt::format("S{}", s), 8);
  for (const auto& [a, b] : kLinks) {
    builder.connect(FabricBuilder::Handle{a}, static_cast<Port>(++used[a]),
                    FabricBuilder::Handle{b}, static_cast<Port>(++used[b]));
  }
  const OrderedLinks links = order_links(builder.build(), LinkOrder::kByDegree);
  // Degrees 3,3,3,2,3,2: ranks 0,0,0,4,0,4. Links among 0,1,2,4 have rank 0 and go first:
  // 0-1, 0-2, 0-4 (1-2 closes a circle); then 2-3 and 1-5 (rank 4); 3-4 and 4-5 close circles.
  const auto layer = [&](std::uint32_t a, std::uint32_t b) {
    for (const Link arc : links.of(a)) {
      if (links.to[arc] == b) return unsigned{links.layer[arc]};
    }
    return 0U;
  };
  for (const auto& [a, b] : {std::pair{0U, 1U}, {0U, 2U}, {0U, 4U}, {2U, 3U}, {1U, 5U}}) {
    EXPECT_EQ(layer(a, b), 1U) << a << b;
  }
  for (const auto& [a, b] : {std::pair{1U, 2U}, {3U, 4U}, {4U, 5U}}) EXPECT_EQ(layer(a, b), 2U);
}

// Figure 1: four switches in a ring. Three links are layer 1, the last is layer 2.
TEST(Bfot, RingOfFigure1HasNoCycle) {
  const Fabric fabric = make_fabric("ring(4)");
  for (const char* engine : {"bfot", "bfot+"}) {
    const Routing routing = route(find_engine(engine), Model(fabric));
    const oracle::RouteFindings found = oracle::look_at_routes(fabric, routing);
    EXPECT_TRUE(found.deadlock_free);
    EXPECT_EQ(found.missing_switch + found.missing_terminal, 0U);
  }
}

// Figure 4: A-B is in layer 2, B-D in layer 1; B reaches D in two hops of layer 2 over F; A-C is in
// layer 1, and ten more hops of it lead from C to D.
TEST(Bfot, IsNotOptimalOnFigure4) {
  constexpr std::uint32_t kA = 0, kB = 1, kC = 2, kD = 3, kF = 4;
  std::vector<LayeredLink> links{{kA, kB, 2}, {kB, kD, 1}, {kB, kF, 2}, {kF, kD, 2}, {kA, kC, 1}};
  std::uint32_t last = kC;
  for (std::uint32_t i = 0; i < 9; ++i) {
    links.push_back({last, 5 + i, 1});
    last = 5 + i;
  }
  links.push_back({last, kD, 1});
  const OrderedLinks ordered = layered_links(14, links);
  const OrderedAlternatives found = find_ordered_alternatives(ordered, kD);
  EXPECT_EQ(oracle::fault_of_alternatives(ordered, found, kD), "");
  EXPECT_EQ(found.distance[kB], 1);
  EXPECT_EQ(found.distance[kA], 11);
  for (const auto form : {apot_by_heap, apot_by_matrix}) {
    EXPECT_EQ(form(ordered, kA).distance[kD], 3);
    EXPECT_EQ(form(ordered, kB).distance[kD], 1);
  }
}

// Figure 3's situation: an equally short route in a higher layer is announced again, and whoever
// needs it constrains the switch to it.
TEST(Bfot, AConstraintLeavesTheHigherAlternative) {
  // 0-1 and 0-2 in layers 1 and 2, 1-3 and 2-3 likewise; 4 hangs on 3 by layer 2.
  const std::vector<LayeredLink> links{{0, 1, 1}, {0, 2, 2}, {1, 3, 1}, {2, 3, 2}, {3, 4, 2}};
  const OrderedLinks ordered = layered_links(5, links);
  const OrderedAlternatives found = find_ordered_alternatives(ordered, 0);
  EXPECT_EQ(found.distance, (std::vector<std::uint16_t>{0, 1, 1, 2, 3}));
  ASSERT_EQ(found.of(3).size(), 1U);  // both were there before 4 asked for layer 2
  EXPECT_EQ(ordered.layer[found.of(3)[0]], 2);
}

TEST(Bfot, AlternativesAreLegalOnEveryFabric) {
  for (const std::string_view name : test::small_fabric_names()) {
    const Fabric fabric = test::small_fabric(std::string(name));
    for (const LinkOrder order : {LinkOrder::kBySweep, LinkOrder::kByDegree}) {
      const OrderedLinks links = order_links(fabric, order);
      for (std::uint32_t d = 0; d < links.switches; ++d) {
        const OrderedAlternatives found = find_ordered_alternatives(links, d);
        ASSERT_EQ(oracle::fault_of_alternatives(links, found, d), "") << name;
      }
    }
  }
}

TEST(Apot, BothFormsHaveTheShortestLegalDistances) {
  for (const std::string_view name : test::small_fabric_names()) {
    const Fabric fabric = test::small_fabric(std::string(name));
    const OrderedLinks links = order_links(fabric, LinkOrder::kBySweep);
    for (std::uint32_t s = 0; s < links.switches; ++s) {
      const auto expected = oracle::legal_distances(links, s);
      EXPECT_EQ(apot_by_heap(links, s).distance, expected) << name;
      EXPECT_EQ(apot_by_matrix(links, s).distance, expected) << name;
    }
  }
}

TEST(Apot, SourceRoutesArriveAndWaitInNoCircle) {
  for (const std::string_view name : test::small_fabric_names()) {
    const Fabric fabric = test::small_fabric(std::string(name));
    const OrderedLinks links = order_links(fabric, LinkOrder::kBySweep);
    for (const char* engine : {"apot", "apot-matrix"}) {
      const SourceRoutes routes = route(find_engine(engine), Model(fabric)).source_routes;
      for (const Switch s : ids<Switch>(routes.switches)) {
        const auto distance = oracle::legal_distances(links, index(s));
        for (const Switch d : ids<Switch>(routes.switches)) {
          const auto path = routes.at(s, d);
          ASSERT_EQ(path.size(), distance[index(d)]);
          Node at = fabric.node(s);
          for (const Channel c : path) {
            ASSERT_EQ(fabric.owner(c), at);
            at = fabric.neighbour(c);
          }
          EXPECT_EQ(at, fabric.node(d));
        }
      }
      EXPECT_FALSE(oracle::has_cycle(fabric, all_paths(routes))) << name;
    }
  }
}

// d(OPT) <= d(APOT) <= d(BFOT) on the topologies of Table 1 (section 5).
TEST(Apot, LiesBetweenShortestAndBfotOnTable1) {
  for (const NamedSpec& row : topologies_of_chiu02()) {
    const Fabric fabric = make_fabric(row.spec);
    const OrderedLinks links = order_links(fabric, LinkOrder::kBySweep);
    std::vector<std::vector<std::uint16_t>> apot;
    for (std::uint32_t s = 0; s < links.switches; ++s) {
      apot.push_back(apot_by_heap(links, s).distance);
      EXPECT_EQ(apot.back(), apot_by_matrix(links, s).distance) << row.name;
    }
    for (std::uint32_t d = 0; d < links.switches; ++d) {
      const auto bfot = find_ordered_alternatives(links, d).distance;
      for (std::uint32_t s = 0; s < links.switches; ++s) {
        EXPECT_LE(apot[s][d], bfot[s]) << row.name << ' ' << s << ' ' << d;
      }
    }
  }
}

}  // namespace
}  // namespace fatwood
