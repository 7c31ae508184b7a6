// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An axis of a plot: maps values to positions on the page, with round numbers as ticks.

#include <string>
#include <vector>

#include "report/plot/plot.hpp"

namespace fatwood {

struct PlotRange {
  double low = 0, high = 1;
  bool any = false;
  void add(double value);
};

class PlotAxis {
 public:
  // Maps the values of the range to positions between `from` and `to`. A linear axis begins at
  // `start`, or lower if the range does.
  PlotAxis(Scale scale, PlotRange range, double start, double from, double to);

  double at(double value) const;
  double begin() const { return from_; }
  const std::vector<double>& ticks() const { return ticks_; }

 private:
  Scale scale_;
  double from_, to_;
  double low_ = 0, high_ = 1;  // of the logarithm on a log axis
  std::vector<double> ticks_;
};

bool has_place(Scale scale, double value);

// 0.1, 25, 12k, 16M: short enough for an axis.
std::string tick_text(double value);

// Round numbers that cover [low, high]: about `count` of them, 1, 2 or 5 times a power of ten.
std::vector<double> round_ticks(double low, double high, int count);

}  // namespace fatwood
