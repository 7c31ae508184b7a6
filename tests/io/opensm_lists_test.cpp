// SPDX-License-Identifier: BSD-3-Clause
// The lists keep the rules that OpenSM's ftree asks for; tests/ib shows it takes them.

#include "io/opensm/opensm_lists.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "io/fabric/spec.hpp"
#include "topology/builder.hpp"

namespace fatwood {
namespace {

TEST(OpensmLists, WholeTreesHaveTheirTopAndAllHosts) {
  const Fabric fabric = make_fabric("ft(4,3)");
  const OpensmLists lists = opensm_lists(fabric, find_levels(fabric));
  EXPECT_EQ(lists.roots.size(), 4u);
  EXPECT_EQ(lists.compute.size(), fabric.num_terminals());
  EXPECT_TRUE(lists.io.empty());
}

TEST(OpensmLists, OneSwitchHasNoComputeNodes) {
  const Fabric fabric = make_fabric("ft(8,1)");
  const OpensmLists lists = opensm_lists(fabric, find_levels(fabric));
  EXPECT_TRUE(lists.compute.empty());
}

// Two cores, four spines, four leaves of three hosts; a fifth leaf hangs on a core itself, and an
// adapter has a port on a leaf and one on a spine, another the other way round.
TEST(OpensmLists, HostsThatBreakTheRulesAreIoNodes) {
  FabricBuilder builder;
  std::vector<FabricBuilder::Handle> cores, spines, leaves;
  for (int i = 0; i < 2; ++i) cores.push_back(builder.add_switch(fmt::format("core{}", i), 12));
  for (int i = 0; i < 4; ++i) spines.push_back(builder.add_switch(fmt::format("spine{}", i), 12));
  for (int i = 0; i < 5; ++i) leaves.push_back(builder.add_switch(fmt::format("leaf{}", i), 12));
  std::uint32_t core_port = 1;
  for (std::size_t s = 0; s < 4; ++s) {
    builder.connect(spines[s], Port{1}, cores[0], static_cast<Port>(core_port), {});
    builder.connect(spines[s], Port{2}, cores[1], static_cast<Port>(core_port), {});
    ++core_port;
  }
  for (std::size_t l = 0; l < 4; ++l) {
    builder.connect(leaves[l], Port{1}, spines[l / 2 * 2], static_cast<Port>(3 + l % 2), {});
    builder.connect(leaves[l], Port{2}, spines[l / 2 * 2 + 1], static_cast<Port>(3 + l % 2), {});
  }
  builder.connect(leaves[4], Port{1}, cores[0], static_cast<Port>(core_port), {});
  builder.connect(leaves[4], Port{2}, cores[1], static_cast<Port>(core_port), {});
  for (std::size_t l = 0; l < 5; ++l) {
    for (std::uint32_t p = 3; p < 6; ++p) {
      const auto host = builder.add_adapter(fmt::format("h{}{}", l, p), 1);
      builder.connect(leaves[l], static_cast<Port>(p), host, Port{1}, {});
    }
  }
  const auto drags = builder.add_adapter("drags", 2);
  builder.connect(leaves[0], Port{7}, drags, Port{1}, {});
  builder.connect(spines[0], Port{7}, drags, Port{2}, {});
  const auto fine = builder.add_adapter("fine", 2);
  builder.connect(spines[1], Port{8}, fine, Port{1}, {});
  builder.connect(leaves[1], Port{8}, fine, Port{2}, {});
  const Fabric fabric = builder.build();

  const OpensmLists lists = opensm_lists(fabric, find_levels(fabric));
  const auto names = [&](const std::vector<Terminal>& list) {
    std::vector<std::string> found;
    for (const Terminal t : list) {
      const Channel c = fabric.terminal_channel(t);
      found.push_back(fmt::format("{}:{}", fabric.id(fabric.owner(c)), index(fabric.port(c))));
    }
    std::ranges::sort(found);
    return found;
  };
  EXPECT_EQ(lists.roots.size(), 2u);
  EXPECT_EQ(names(lists.compute).size(), 13u);
  EXPECT_EQ(names(lists.io),
            (std::vector<std::string>{"drags:1", "drags:2", "fine:1", "h43:1", "h44:1", "h45:1"}));
}

}  // namespace
}  // namespace fatwood
