// SPDX-License-Identifier: BSD-3-Clause
// Lane files: what is written is read again, and what is refused.

#include "io/tables/lane_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "io/base/input.hpp"
#include "routing/engine.hpp"
#include "support/small_fabrics.hpp"
#include "topology/builder.hpp"

namespace fatwood {
namespace {

struct Case {
  Fabric fabric = test::small_fabric("grid 4x4 wrapped");
  Routing routing = route(find_engine("dfsssp"), Model(fabric), {.lmc = 1});
  Lids lids = assign_lids(fabric, 1);

  Lanes read(const std::string& text) const {
    Input input(text, "lanes");
    return read_lanes(input, fabric, routing.tables, lids).lanes;
  }
  std::string message(const std::string& text) const {
    try {
      read(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
};

TEST(LaneFile, ComesBackAsItWas) {
  const Case c;
  ASSERT_GT(c.routing.lanes.count, 1U);
  std::ostringstream out;
  write_lanes(out, c.fabric, c.routing, c.lids);
  const Lanes lanes = c.read(out.str());
  EXPECT_EQ(lanes.count, c.routing.lanes.count);
  for (const Destination destination : ids<Destination>(c.routing.tables.num_destinations())) {
    for (const Switch s : ids<Switch>(c.fabric.num_switches())) {
      EXPECT_EQ(lanes.at(destination, s), c.routing.lanes.at(destination, s));
    }
  }
}

TEST(LaneFile, OpenSmsPathRecordsSayTheSame) {
  const Case c;
  std::string text;
  for (const Terminal t : ids<Terminal>(c.fabric.num_terminals())) {
    text += fmt::format("Channel Adapter {:#018x}, base LID {}, \"H\", port 1\n",
                        c.fabric.address(t).guid, index(c.lids.terminal[t]));
    text += "# LID  : SL : MTU : RATE\n";
    for (const Destination destination : ids<Destination>(c.routing.tables.num_destinations())) {
      const std::uint32_t lid = index(c.lids.of(c.routing.tables, destination));
      if (index(destination) == 3) {
        text += fmt::format("{:#06X} : UNREACHABLE\n", lid);
      } else {
        text += fmt::format("0x{:04X} : {:<2} : 4   : 3   \n", lid,
                            c.routing.lanes.at(destination, c.fabric.leaf(t)));
      }
    }
  }
  const Lanes lanes = c.read(text);
  for (const Destination destination : ids<Destination>(c.routing.tables.num_destinations())) {
    for (const Terminal t : ids<Terminal>(c.fabric.num_terminals())) {
      const Switch leaf = c.fabric.leaf(t);
      const unsigned expected = index(destination) == 3 ? 0 : c.routing.lanes.at(destination, leaf);
      EXPECT_EQ(lanes.at(destination, leaf), expected);
    }
  }
  EXPECT_TRUE(looks_like_levels(text));
  EXPECT_TRUE(looks_like_levels("0x0010000000000000 12 1\n"));
  EXPECT_FALSE(looks_like_levels("0x0010000000000000 0x0001 0x0002\n"));
  EXPECT_NE(c.message("Channel Adapter 0x99, base\n").find("lanes:1:17: no node"),
            std::string::npos);
  const std::string block =
      fmt::format("Switch {:#018x}\n", c.fabric.guid(c.fabric.node(Switch{0})));
  EXPECT_NE(c.message(block + "0xbfff : 1\n").find("lanes:2:1: nothing has"), std::string::npos);
  EXPECT_NE(c.message(block + "0x0002 1\n").find("lanes:2:8: expected ':'"), std::string::npos);
}

TEST(LaneFile, WrongLinesAreNamed) {
  const Case c;
  const std::string host = fmt::format("{:#x}", c.fabric.guid(Node{0}));
  const std::string twin = fmt::format("{:#x}", c.fabric.guid(Node{1}));
  EXPECT_EQ(c.message("# nothing\n\n" + host + " 2 1\n"), "");
  EXPECT_NE(c.message("0x123 2 1\n").find("lanes:1:1:"), std::string::npos);
  EXPECT_NE(c.message(host + " 2 1\n" + host + " 9999 1\n").find("lanes:2:"), std::string::npos);
  EXPECT_NE(c.message(host + " 2 16\n"), "");
  EXPECT_NE(c.message(host + " 2\n"), "");
  EXPECT_NE(c.message(host + " 2 1 7\n"), "");
  ASSERT_EQ(c.fabric.leaf(Terminal{0}), c.fabric.leaf(Terminal{1}));
  EXPECT_NE(c.message(host + " 2 1\n" + twin + " 2 0\n").find("lanes:2:"), std::string::npos);
}

// Two switches, joined by a cable and by an adapter of two ports.
TEST(LaneFile, AnAdapterOfTwoPortsHasOneLevelForBoth) {
  FabricBuilder builder;
  const auto a = builder.add_switch("A", 3);
  const auto b = builder.add_switch("B", 3);
  const auto two = builder.add_adapter("two", 2);
  const auto one = builder.add_adapter("one", 1);
  builder.connect(a, Port{1}, b, Port{1});
  builder.connect(two, Port{1}, a, Port{2});
  builder.connect(two, Port{2}, b, Port{2});
  builder.connect(one, Port{1}, b, Port{3});
  const Fabric fabric = builder.build();
  Routing routing = route(find_engine("minhop"), Model(fabric), {});
  const Lids lids = assign_lids(fabric, 0);
  const Terminal t{2};
  ASSERT_EQ(display_name(fabric, fabric.adapter_node(t)), "one");
  const Destination destination = routing.tables.destination(t);
  const auto read = [&](const std::string& text) {
    Input input(text, "lanes");
    return read_lanes(input, fabric, routing.tables, lids).lanes;
  };
  const auto line = [&](Node node, unsigned level) {
    return fmt::format("{:#x} {} {}\n", fabric.guid(node), index(lids.terminal[t]), level);
  };
  const Node adapter = fabric.adapter_node(Terminal{0});
  const Lanes lanes = read(line(adapter, 1));
  EXPECT_EQ(lanes.at(destination, Switch{0}), 1U);
  EXPECT_EQ(lanes.at(destination, Switch{1}), 1U);
  EXPECT_THROW(read(line(adapter, 1) + line(fabric.node(Switch{1}), 0)), InputError);
  // Levels by port, as OpenSM dumps them, may differ; a file by node cannot hold that.
  std::string blocks;
  for (const Terminal port : {Terminal{0}, Terminal{1}}) {
    blocks += fmt::format("Channel Adapter {:#018x}, base LID 1, \"two\", port 1\n",
                          fabric.address(port).guid);
    blocks += fmt::format("{:#06x} : {}\n", index(lids.terminal[t]), index(port));
  }
  routing.lanes = read(blocks);
  EXPECT_EQ(routing.lanes.at(destination, Switch{0}), 0U);
  EXPECT_EQ(routing.lanes.at(destination, Switch{1}), 1U);
  std::ostringstream out;
  EXPECT_THROW(write_lanes(out, fabric, routing, lids), PromiseError);
}

}  // namespace
}  // namespace fatwood
