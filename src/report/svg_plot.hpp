#pragma once
// Line plots as SVG text: panels side by side, axes with round numbers, points marked, a legend.
// No script, no outside font or style, black on white: for pages, papers and mail.

#include <string>
#include <utility>
#include <vector>

namespace fatwood {

struct PlotLine {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

enum class Scale { kLinear, kLog };

struct PlotPanel {
  std::string title, x_label, y_label;
  std::vector<PlotLine> lines;
  Scale x_scale = Scale::kLinear;  // points at or below 0 are left out of a log axis
  Scale y_scale = Scale::kLinear;
};

// REQUIRES at least one panel. The same input gives the same bytes.
std::string svg_plot(const std::vector<PlotPanel>& panels);

// Round numbers that cover [low, high]: about `count` of them, 1, 2 or 5 times a power of ten.
std::vector<double> round_ticks(double low, double high, int count);

}  // namespace fatwood
