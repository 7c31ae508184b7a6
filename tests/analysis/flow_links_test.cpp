// SPDX-License-Identifier: BSD-3-Clause
// What flows put on channels: of static tables what the paths say, of adaptive ones the same as the
// loads of even splitting; by hash one way from end to end.

#include "analysis/load/flow_links.hpp"

#include <gtest/gtest.h>

#include <map>

#include "io/fabric/spec.hpp"
#include "routing/resolve.hpp"

namespace fatwood {
namespace {

Traffic shift(std::size_t hosts, std::uint32_t by) {
  Traffic traffic;
  for (std::uint32_t s = 0; s < hosts; ++s) {
    traffic.flows.push_back({static_cast<Adapter>(s),
                             static_cast<Adapter>((s + by) % static_cast<std::uint32_t>(hosts)),
                             1});
  }
  return traffic;
}

TEST(FlowLinks, EvenSplittingIsThatOfLoads) {
  for (const char* engine : {"ar_updn", "ar_ftree", "ftree", "disjoint:4"}) {
    const Model model(make_fabric("xgft(3;4,4,4;1,2,2)"));
    const auto paths = resolve_paths(model, engine);
    FlowLinks links(model, *paths);
    for (const std::uint32_t by : {1U, 5U, 17U}) {
      const Traffic traffic = shift(model.adapters().size(), by);
      const LinkLoads loads = link_loads(model, *paths, traffic, 1);
      std::map<LinkNumber, double> seen;
      for (const Flow& flow : traffic.flows) {
        for (const LinkUse& use : links.links(flow.source, flow.destination)) {
          seen[use.link] += use.amount;
        }
      }
      for (const Channel c : ids<Channel>(model.fabric().num_channels())) {
        const auto at = seen.find(index(c));
        EXPECT_NEAR(at == seen.end() ? 0 : at->second, loads.load(c).value(), 1e-5)
            << engine << " " << by << " " << index(c);
      }
    }
  }
}

TEST(FlowLinks, AHashTakesOneWayFromEndToEnd) {
  const Model model(make_fabric("xgft(3;4,4,4;1,2,2)"));
  const auto paths = resolve_paths(model, "ar_updn");
  FlowLinks hashed(model, *paths, PortChoice::kHashed, 7);
  FlowLinks again(model, *paths, PortChoice::kHashed, 7);
  const Fabric& fabric = model.fabric();
  std::map<LinkNumber, std::size_t> up;
  for (std::uint32_t to = 1; to < model.adapters().size(); ++to) {
    const auto links = hashed.links(Adapter{0}, static_cast<Adapter>(to));
    ASSERT_GE(links.size(), 2U);
    for (std::size_t i = 0; i + 1 < links.size(); ++i) {
      EXPECT_EQ(links[i].amount, 1);
      EXPECT_EQ(fabric.neighbour(static_cast<Channel>(links[i].link)),
                fabric.owner(static_cast<Channel>(links[i + 1].link)));
    }
    ++up[links[1].link];
    const auto same = again.links(Adapter{0}, static_cast<Adapter>(to));
    ASSERT_EQ(same.size(), links.size());
    for (std::size_t i = 0; i < links.size(); ++i) EXPECT_EQ(same[i].link, links[i].link);
  }
  EXPECT_GE(up.size(), 2U);  // not all by one port
}

TEST(FlowLinks, ConnectionsAndQueuePairsHaveAHashOfTheirOwn) {
  const Model model(make_fabric("xgft(2;8,8;1,8)"));
  for (const char* engine : {"ar_updn", "disjoint:8"}) {
    const auto paths = resolve_paths(model, engine);
    FlowLinks hashed(model, *paths, PortChoice::kHashed, 5);
    std::map<LinkNumber, double> up;
    for (std::uint32_t connection = 0; connection < 64; ++connection) {
      const auto links = hashed.links(Adapter{0}, Adapter{63}, connection);
      ASSERT_EQ(links.size(), 4U) << engine;
      up[links[1].link] += links[1].amount;
    }
    EXPECT_GE(up.size(), 6U) << engine;  // of 8 up-links
    // As many queue pairs of one connection: the same spread, in parts of one flow.
    FlowLinks many(model, *paths, PortChoice::kHashed, 5, 64);
    std::map<LinkNumber, double> parts;
    for (const LinkUse& use : many.links(Adapter{0}, Adapter{63})) parts[use.link] += use.amount;
    for (const auto& [link, flows] : up) EXPECT_NEAR(parts[link] * 64, flows, 1e-4) << engine;
  }
}

}  // namespace
}  // namespace fatwood
