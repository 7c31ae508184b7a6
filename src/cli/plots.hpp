// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// --plot and --svg, in every verb that has a curve or a distribution.

#include <string>
#include <vector>

#include "cli/verb.hpp"
#include "report/plot/svg_plot.hpp"

namespace fatwood::cli {

struct PlotChoice {
  bool plot = false;  // in the terminal, after the table
  std::string svg;    // a file; "": none
  bool any() const { return plot || !svg.empty(); }
};
// `what`: "latency and throughput"
void add_plots(Verb& verb, PlotChoice& choice, const std::string& what);
// InputError if the plot and JSON would go to one place.
void draw(const PlotChoice& choice, const Session& session, const std::vector<PlotPanel>& panels);

}  // namespace fatwood::cli
