// SPDX-License-Identifier: BSD-3-Clause
// OpenSM's dump of SL-to-VL tables: one lane a level, or one for each way through a switch.

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "io/base/input.hpp"
#include "io/tables/sl2vl_file.hpp"
#include "support/fabrics.hpp"

namespace fatwood {
namespace {

// Port 1 leads to the next switch, port 3 to a host.
const std::string kHead = "Switch 0x0020000000000000, base LID 2, \"S0\"\n#in out : 0  1  2 ...\n";
const std::string kHalved = " 0  1  2  3  0  1  2  3  0  1  2  3  0  1  2  3 \n";
const std::string kNone15 = " 0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0 \n";

Sl2vl read_all(const std::string& text) {
  Input input(text, "dump");
  return read_sl2vl(input, test::ring(4));
}

LaneOfSl read(const std::string& text) {
  const Sl2vl lanes = read_all(text);
  EXPECT_TRUE(lanes.map.empty());
  return lanes.same;
}

std::string error(const std::string& text) {
  try {
    read_all(text);
  } catch (const InputError& wrong) {
    return wrong.what();
  }
  return "";
}

TEST(Sl2vlFile, ALevelTakesItsLaneBetweenSwitches) {
  const LaneOfSl lanes =
      read(kHead + "0   1   :" + kHalved + "2   1   :" + kHalved +
           "1   3   :" + kNone15 +  // to a host: of no matter
           "\nChannel Adapter 0x0010000000000001, base LID 1, \"H0\"\n" + "0   0   :" + kNone15);
  EXPECT_EQ(lanes[3], 3);
  EXPECT_EQ(lanes[4], 0);
  EXPECT_EQ(lanes[15], 3);
  EXPECT_EQ(read(kHead)[7], 7);
}

TEST(Sl2vlFile, LanesAreMapped) {
  const LaneOfSl lanes = read(kHead + "0   1   :" + kHalved);
  const Lanes mapped =
      take_lanes(lanes, {.count = 6, .row_of = {0}, .lane = {5, 4, 0}, .switches = 3});
  EXPECT_EQ(mapped.lane, (std::vector<std::uint8_t>{1, 0, 0}));
  EXPECT_EQ(mapped.count, 2U);
}

TEST(Sl2vlFile, DigitsSayTheSame) {
  const LaneOfSl lanes = read(
      "# File created at x\n"
      "0x0020000000000000 0 1 0x01 0x23 0x01 0x23 0x01 0x23 0x01 0x23\n"
      "0x0020000000000000 2 1 0x01 0x23 0x01 0x23 0x01 0x23 0x01 0x23\n"
      "0x0010000000000000 1 1 0x00 0x00 0x00 0x00 0x00 0x00 0x00 0x00\n"
      "0x0010000000000001 1 1 0x00 0x00 0x00 0x00 0x00 0x00 0x00 0x00\n# File closed at y\n");
  EXPECT_EQ(lanes, read(kHead + "0   1   :" + kHalved));
  EXPECT_NE(error("0x77 0 1 0x01\n").find("dump:1:1: the fabric has no node"), std::string::npos);
  EXPECT_NE(error("0x0020000000000000 0 1 0x01 0x23\n").find("dump:1:33: expected two lanes"),
            std::string::npos);
  EXPECT_NE(error("0x0020000000000000 0 9 0x01\n").find("dump:1:22: the switch has no such port"),
            std::string::npos);
  EXPECT_TRUE(looks_like_sl2vl("0x0020000000000000 0 1 0x01 0x23 0x01 0x23 0x01 0x23 0x01 0x23\n"));
  EXPECT_TRUE(looks_like_sl2vl(kHead));
}

// All ways through the four switches; those of one switch to port 2 in one lane.
std::string whole_dump() {
  std::string text;
  for (int s = 0; s < 4; ++s) {
    text += "Switch 0x002000000000000" + std::to_string(s) + ", base LID 2, \"S\"\n";
    for (int in = 0; in <= 3; ++in) {
      for (int out = 0; out <= 3; ++out) {
        text += std::to_string(in) + " " + std::to_string(out) + " :";
        text += s == 1 && out == 2 ? kNone15 : kHalved;
      }
    }
  }
  return text;
}

TEST(Sl2vlFile, LanesMayDifferFromPortToPort) {
  const Sl2vl lanes = read_all(whole_dump());
  ASSERT_FALSE(lanes.map.empty());
  EXPECT_EQ(lanes.map.lanes(), 4U);
  EXPECT_EQ(lanes.map.lane(Switch{1}, Port{1}, Port{2}, 7), 0U);
  EXPECT_EQ(lanes.map.lane(Switch{1}, Port{2}, Port{1}, 7), 3U);
  EXPECT_EQ(lanes.map.lane(Switch{2}, Port{1}, Port{2}, 7), 3U);
}

TEST(Sl2vlFile, WhereLanesDifferEveryWayNeedsARow) {
  std::string text = whole_dump();
  const std::size_t row = text.find("3 1 :");
  text.erase(row, text.find('\n', row) + 1 - row);
  EXPECT_NE(error(text).find("no row for"), std::string::npos);
  EXPECT_NE(error(text).find("from port 3 to port 1"), std::string::npos);
}

TEST(Sl2vlFile, WrongLinesAreNamed) {
  EXPECT_NE(error("").find("dump: no lanes"), std::string::npos);
  EXPECT_NE(error("0 1 :" + kHalved).find("dump:1:"), std::string::npos);
  EXPECT_NE(error("Switch 0x77, base LID 2\n").find("dump:1:8"), std::string::npos);
  EXPECT_NE(error(kHead + "0   9   :" + kHalved).find("dump:3:5"), std::string::npos);
  EXPECT_NE(error(kHead + "0   1   : 0 1 2\n").find("dump:3:"), std::string::npos);
  EXPECT_NE(error(kHead + "7   1   :" + kHalved).find("dump:3:1"), std::string::npos);
}

}  // namespace
}  // namespace fatwood
