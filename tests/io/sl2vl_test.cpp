// OpenSM's dump of SL-to-VL tables: one lane a level, or a refusal that names both lines.

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "io/input.hpp"
#include "io/sl2vl_file.hpp"
#include "support/fabrics.hpp"

namespace fatwood {
namespace {

// Port 1 leads to the next switch, port 3 to a host.
const std::string kHead = "Switch 0x0020000000000000, base LID 2, \"S0\"\n#in out : 0  1  2 ...\n";
const std::string kHalved = " 0  1  2  3  0  1  2  3  0  1  2  3  0  1  2  3 \n";
const std::string kNone15 = " 0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0 \n";

LaneOfLevel read(const std::string& text) {
  Input input(text, "dump");
  return read_sl2vl(input, test::ring(4));
}

std::string error(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& wrong) {
    return wrong.what();
  }
  return "";
}

TEST(Sl2vlFile, ALevelTakesItsLaneBetweenSwitches) {
  const LaneOfLevel lanes =
      read(kHead + "0   1   :" + kHalved + "2   1   :" + kHalved +
           "1   3   :" + kNone15 +  // to a host: of no matter
           "\nChannel Adapter 0x0010000000000001, base LID 1, \"H0\"\n" + "0   0   :" + kNone15);
  EXPECT_EQ(lanes[3], 3);
  EXPECT_EQ(lanes[4], 0);
  EXPECT_EQ(lanes[15], 3);
  EXPECT_EQ(read(kHead)[7], 7);
}

TEST(Sl2vlFile, LanesAreMapped) {
  const LaneOfLevel lanes = read(kHead + "0   1   :" + kHalved);
  const Lanes mapped =
      take_lanes(lanes, {.count = 6, .row_of = {0}, .lane = {5, 4, 0}, .switches = 3});
  EXPECT_EQ(mapped.lane, (std::vector<std::uint8_t>{1, 0, 0}));
  EXPECT_EQ(mapped.count, 2U);
}

TEST(Sl2vlFile, WrongLinesAreNamed) {
  EXPECT_NE(error("").find("dump: no lanes"), std::string::npos);
  EXPECT_NE(error("0 1 :" + kHalved).find("dump:1:"), std::string::npos);
  EXPECT_NE(error("Switch 0x77, base LID 2\n").find("dump:1:8"), std::string::npos);
  EXPECT_NE(error(kHead + "0   9   :" + kHalved).find("dump:3:5"), std::string::npos);
  EXPECT_NE(error(kHead + "0   1   : 0 1 2\n").find("dump:3:"), std::string::npos);
  EXPECT_NE(error(kHead + "0   1   :" + kHalved + "0   2   :" + kNone15).find("in line 3"),
            std::string::npos);
}

}  // namespace
}  // namespace fatwood
