// Lane files: what is written is read again, and what is refused.

#include "io/lane_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "io/input.hpp"
#include "routing/engine.hpp"
#include "support/small_fabrics.hpp"

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
  for (const Target target : ids<Target>(c.routing.tables.num_targets())) {
    for (const Switch s : ids<Switch>(c.fabric.num_switches())) {
      EXPECT_EQ(lanes.at(target, s), c.routing.lanes.at(target, s));
    }
  }
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

}  // namespace
}  // namespace fatwood
