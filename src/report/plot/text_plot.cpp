// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "report/plot/plot.hpp"
#include "report/plot/plot_axis.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kColumns = 64;
constexpr std::size_t kRows = 14;
constexpr std::string_view kMarks = "*o+x#@";

class Grid {
 public:
  explicit Grid(const PlotPanel& panel)
      : panel_(panel), cells_(kRows, std::string(kColumns, ' ')) {}

  std::string draw() {
    PlotRange x, y;
    for (const PlotLine& line : panel_.lines) {
      for (const auto& [at, value] : line.points) {
        if (!has_place(panel_.x_scale, at) || !has_place(panel_.y_scale, value)) continue;
        x.add(at);
        y.add(value);
      }
    }
    if (!x.any) return "";
    const PlotAxis across(panel_.x_scale, x, panel_.x_from, 0, kColumns - 1);
    const PlotAxis up(panel_.y_scale, y, panel_.y_from, 0, kRows - 1);
    // The first line is drawn last: on top of the others.
    for (std::size_t i = panel_.lines.size(); i-- > 0;) mark(i, across, up);
    return panel_.title + "\n" + rows_text(up) + x_text(across) + legend();
  }

 private:
  static std::size_t cell(double place, std::size_t count) {
    return static_cast<std::size_t>(
        std::clamp(std::lround(place), 0L, static_cast<long>(count) - 1));
  }

  void mark(std::size_t line, const PlotAxis& across, const PlotAxis& up) {
    for (const auto& [at, value] : panel_.lines[line].points) {
      if (!has_place(panel_.x_scale, at) || !has_place(panel_.y_scale, value)) continue;
      cells_[cell(up.at(value), kRows)][cell(across.at(at), kColumns)] =
          kMarks[line % kMarks.size()];
    }
  }

  std::string rows_text(const PlotAxis& up) const {
    std::vector<std::string> label(kRows);
    for (const double tick : up.ticks()) label[cell(up.at(tick), kRows)] = tick_text(tick);
    std::string text;
    for (std::size_t row = kRows; row-- > 0;) {
      std::string line = fmt::format("{:>8} |{}", label[row], cells_[row]);
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
    return text;
  }

  std::string x_text(const PlotAxis& across) const {
    std::string labels(kColumns + 10, ' ');
    std::size_t free = 0;
    for (const double tick : across.ticks()) {
      const std::string word = tick_text(tick);
      const std::size_t at = cell(across.at(tick), kColumns);
      if (at < free || at + word.size() > labels.size()) continue;
      labels.replace(at, word.size(), word);
      free = at + word.size() + 1;
    }
    labels.erase(labels.find_last_not_of(' ') + 1);
    return fmt::format("{:>8} +{}\n{:10}{}\n{:10}{}\n", "", std::string(kColumns, '-'), "", labels,
                       "", panel_.x_label);
  }

  std::string legend() const {
    std::string text;
    for (std::size_t i = 0; i < panel_.lines.size(); ++i) {
      if (panel_.lines[i].name.empty()) continue;
      text += fmt::format("{:10}{} {}\n", "", kMarks[i % kMarks.size()], panel_.lines[i].name);
    }
    return text;
  }

  const PlotPanel& panel_;
  std::vector<std::string> cells_;  // the lowest row first
};

}  // namespace

std::string text_plot(const std::vector<PlotPanel>& panels) {
  std::string text;
  for (const PlotPanel& panel : panels) {
    if (!text.empty()) text += "\n";
    text += Grid(panel).draw();
  }
  return text;
}

}  // namespace fatwood
