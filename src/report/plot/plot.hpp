// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Plots as SVG: panels in rows, each with lines over axes or with bars; axes with round numbers,
// points marked, legends next to the plot where they hide nothing. Published values are dashed
// lines with hollow marks, and hollow bars. No script, no outside font or style, black on white:
// for pages, papers and mail. And as text for a terminal: each line has a mark of its own, on a
// grid of characters.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fatwood {

enum class LineKind : std::uint8_t {
  kMeasured,
  kPublished,  // in the colour of the measured line before it
};

struct PlotLine {
  std::string name = "";
  std::vector<std::pair<double, double>> points = {};
  LineKind kind = LineKind::kMeasured;
  // A band behind the line, in its colour: where most measured values are at an x.
  struct Spread {
    double x, low, high;
  };
  std::vector<Spread> band = {};
};

struct PlotBar {
  std::string name = "";
  std::optional<double> published = {}, ours = {};
};

// kLog has round numbers 1, 2, 5, kLog2 powers of two; both leave out points at or below 0.
enum class Scale : std::uint8_t { kLinear, kLog, kLog2 };

struct PlotPanel {
  std::string title = "", x_label = "", y_label = "";
  std::vector<PlotLine> lines = {};
  Scale x_scale = Scale::kLinear;
  Scale y_scale = Scale::kLinear;
  double x_from = 0, y_from = 0;   // start of a linear axis, unless values are below
  std::vector<PlotBar> bars = {};  // in place of lines: one below the other along x
};

// REQUIRES at least one panel. The same input gives the same bytes.
std::string svg_plot(const std::vector<PlotPanel>& panels);

// REQUIRES panels with lines, not bars.
std::string text_plot(const std::vector<PlotPanel>& panels);

}  // namespace fatwood
