// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The panels of svg_plot.hpp as text for a terminal: each line has a mark of its own, on a grid of
// characters with round numbers at the axes.

#include <string>
#include <vector>

#include "report/plot/svg_plot.hpp"

namespace fatwood {

// REQUIRES panels with lines, not bars.
std::string text_plot(const std::vector<PlotPanel>& panels);

}  // namespace fatwood
