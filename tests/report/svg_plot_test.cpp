// Axes with round numbers, well-formed text, and the same bytes every time.

#include "report/svg_plot.hpp"

#include <gtest/gtest.h>

namespace fatwood {
namespace {

TEST(SvgPlot, TicksAreRoundAndCoverTheRange) {
  EXPECT_EQ(round_ticks(0, 1, 5), (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
  for (const double high : {0.03, 1.0, 7.3, 99.0, 12345.0}) {
    const std::vector<double> ticks = round_ticks(0, high, 6);
    EXPECT_LE(ticks.front(), 0);
    EXPECT_GE(ticks.back(), high * (1 - 1e-9));
    EXPECT_LE(ticks.size(), 8U);
    EXPECT_GE(ticks.size(), 3U);
  }
}

TEST(SvgPlot, LinesMarksAndLegend) {
  const PlotPanel panel{
      "a < b & c",    "load",
      "cycles",       {{"one", {{0.1, 10}, {0.2, 100}}}, {"two", {{0.1, 0}, {0.2, 20}}}},
      Scale::kLinear, Scale::kLog};
  const std::string svg = svg_plot({panel, panel});
  EXPECT_EQ(svg, svg_plot({panel, panel}));
  EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
  std::size_t circles = 0;
  for (std::size_t at = 0; (at = svg.find("<circle", at)) != std::string::npos; ++at) ++circles;
  EXPECT_EQ(circles, 2 * 3U);  // the 0 has no place on a log axis
  EXPECT_NE(svg.find(">two</text>"), std::string::npos);
  EXPECT_TRUE(svg.starts_with("<svg"));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(SvgPlot, NothingToShowIsAnEmptyFrame) {
  const std::string svg = svg_plot({{"empty", "x", "y", {}}});
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace fatwood
