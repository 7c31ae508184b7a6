// SPDX-License-Identifier: BSD-3-Clause
// What was read with a fabric, carried over to one with fewer nodes.

#include "topology/run_data.hpp"

#include <gtest/gtest.h>

#include "topology/builder.hpp"

namespace fatwood {
namespace {

// Two hosts on a switch, or only the second.
Fabric fabric(bool both) {
  FabricBuilder builder;
  const auto leaf = builder.add_switch("S", 3, 0xa1);
  if (both) builder.connect(leaf, Port{1}, builder.add_adapter("H1", 1, 0xb1), Port{1});
  builder.connect(leaf, Port{2}, builder.add_adapter("H2", 1, 0xb2), Port{1});
  return builder.build();
}

TEST(RunData, FollowsNodesByGuid) {
  const Fabric from = fabric(true), to = fabric(false);
  RunData run;
  run.counters.names = {"PortXmitData"};
  for (const Channel c : ids<Channel>(from.num_channels())) {
    run.labels.push_back(std::to_string(index(c)));
    run.counters.row.push_back(index(c));
    run.counters.values.push_back(100 + index(c));
    run.lanes.push_back(static_cast<std::uint8_t>(index(c)));
  }
  run.adaptive.resize(1);
  run.adaptive[Switch{0}].hashed_levels = 7;
  const RunData made = carried(run, from, to);
  const Channel host = to.channel(Node{0}, Port{1}), old_host = from.channel(Node{1}, Port{1});
  EXPECT_EQ(made.label(host), run.label(old_host));
  EXPECT_EQ(made.counters.at(host, 0), 100U + index(old_host));
  EXPECT_EQ(made.lanes[host], index(old_host));
  EXPECT_EQ(made.label(to.channel(to.node(Switch{0}), Port{3})),
            run.label(from.channel(Node{2}, Port{3})));
  EXPECT_EQ(made.adaptive[Switch{0}].hashed_levels, 7U);
  EXPECT_TRUE(made.reordered_levels.empty());
}

}  // namespace
}  // namespace fatwood
