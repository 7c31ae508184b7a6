// SPDX-License-Identifier: BSD-3-Clause
#include "cli/plots.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "io/base/output.hpp"
#include "report/plot/text_plot.hpp"

namespace fatwood::cli {

void add_plots(Verb& verb, PlotChoice& choice, const std::string& what) {
  verb.add_flag("--plot", choice.plot, fmt::format("also draw {} in the terminal", what));
  verb.add_output("--svg", choice.svg, output_form::kPlot, fmt::format("file: plot {}", what));
}

void draw(const PlotChoice& choice, const Session& session, const std::vector<PlotPanel>& panels) {
  if (choice.plot && session.json) {
    throw InputError("--plot and --json both write to standard output: leave one out");
  }
  if (session.rank != 0) return;
  if (choice.plot) print(session, "\n" + text_plot(panels));
  if (!choice.svg.empty()) {
    write_output(choice.svg, svg_plot(panels));
  }
}

}  // namespace fatwood::cli
