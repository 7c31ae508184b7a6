// SPDX-License-Identifier: BSD-3-Clause
// Axes with round numbers, well-formed text, and the same bytes every time.

#include <gtest/gtest.h>

#include "report/plot/plot.hpp"
#include "report/plot/plot_axis.hpp"

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
  EXPECT_EQ(circles, 2 * (3U + 2U));  // the 0 has no place on a log axis; two in the legend
  EXPECT_NE(svg.find(">two</text>"), std::string::npos);
  EXPECT_TRUE(svg.starts_with("<svg"));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(SvgPlot, LogTicksCoverTheRange) {
  const auto ticks = [](Scale scale, double low, double high) {
    PlotRange range;
    range.add(low);
    range.add(high);
    return PlotAxis(scale, range, 0, 0, 100).ticks();
  };
  EXPECT_EQ(ticks(Scale::kLog2, 2, 128), (std::vector<double>{2, 4, 8, 16, 32, 64, 128}));
  EXPECT_EQ(ticks(Scale::kLog, 3, 40), (std::vector<double>{2, 5, 10, 20, 50}));
  EXPECT_EQ(ticks(Scale::kLog, 1, 1), (std::vector<double>{1, 2}));
  for (const Scale scale : {Scale::kLog, Scale::kLog2}) {
    for (const double low : {1e-4, 0.02, 1.0, 7.0}) {
      for (const double factor : {1.0, 1.5, 10.0, 300.0, 1e7}) {
        const std::vector<double> all = ticks(scale, low, low * factor);
        EXPECT_LE(all.front(), low * (1 + 1e-6));
        EXPECT_GE(all.back(), low * factor * (1 - 1e-6));
        EXPECT_GE(all.size(), 2U);
        EXPECT_LE(all.size(), 12U);
      }
    }
  }
}

TEST(SvgPlot, PublishedLinesAreDashedInTheColourOfOurs) {
  const PlotPanel panel{.title = "t",
                        .lines = {{"a", {{1, 1}, {2, 2}}},
                                  {"a, published", {{1, 2}, {2, 3}}, LineKind::kPublished},
                                  {"b", {{1, 3}, {2, 1}}}}};
  const std::string svg = svg_plot({panel});
  EXPECT_NE(svg.find("stroke=\"#1f5fa8\" stroke-width=\"1.4\" stroke-dasharray"),
            std::string::npos);
  EXPECT_NE(svg.find("stroke=\"#c4501b\" stroke-width=\"1.6\"/>"), std::string::npos);
}

TEST(SvgPlot, BarsTellBothValues) {
  const PlotPanel panel{
      .title = "t",
      .x_scale = Scale::kLog,
      .bars = {{"both", 2.5, 250.0}, {"ours alone", {}, 0.125}, {"none", {}, 0.0}}};
  const std::string svg = svg_plot({panel});
  for (const char* text : {">both<", ">2.5<", ">250<", ">0.125<", ">published<"}) {
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_EQ(svg.find("width=\"-"), std::string::npos);
}

TEST(SvgPlot, NothingToShowIsAnEmptyFrame) {
  const std::string svg = svg_plot({{"empty", "x", "y", {}}});
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace fatwood
