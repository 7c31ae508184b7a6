// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Output for a person at a terminal in addition to the result: colour, progress, files written, and
// plots (--plot and --svg, in every verb that has a curve or a distribution).

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/verb.hpp"
#include "report/plot/plot.hpp"

namespace fatwood::cli {

// `word`: of --color. With auto, colour goes to a terminal unless NO_COLOR is set (no-color.org)
// or TERM is "dumb".
Colour chosen_colour(const std::string& word, const Session& session);

// The width of the terminal that text goes to (COLUMNS, or what the terminal says); 0 if it is not
// a terminal.
std::size_t terminal_columns(const Session& session);

// On stderr: "wrote page.html (4.1 MB)".
void say_written(std::span<const std::pair<std::string, std::uintmax_t>> files);

// "512 bytes", "4.1 MB".
std::string size_text(std::uintmax_t bytes);

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
