// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/cells.hpp"
#include "report/plot/plot.hpp"
#include "report/plot/plot_axis.hpp"

namespace fatwood {

namespace {

constexpr double kPlotWidth = 390;  // of the area between the axes
constexpr double kPlotHeight = 270;
constexpr double kLeft = 70;
constexpr double kRight = 24;
constexpr double kTop = 36;
constexpr double kBottom = 54;
constexpr double kBarStep = 34;  // a name with its two bars
constexpr double kLetter = 6.6;  // mean width of a letter at 12 px
constexpr double kLegendMark = 44;
constexpr std::array<const char*, 8> kColours{"#1f5fa8", "#c4501b", "#2b8a3e", "#8a3f9e",
                                              "#7a5c00", "#0b7f86", "#b3245e", "#555555"};

double width_of(const std::string& text) { return kLetter * static_cast<double>(text.size()); }

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escaped(text));
}

// The places of a panel's parts; its corner is 0, 0.
struct Frame {
  double left, right, bottom;  // of the area between the axes
  double width, height;        // of all
};

Frame frame_of(const PlotPanel& panel) {
  double names = 0;
  if (!panel.bars.empty()) {
    for (const PlotBar& bar : panel.bars) names = std::max(names, width_of(bar.name));
    const double left = names + 20;
    const double bottom = kTop + 24 + kBarStep * static_cast<double>(panel.bars.size());
    return {left, left + kPlotWidth, bottom, left + kPlotWidth + 70, bottom + kBottom};
  }
  if (panel.lines.size() > 1) {
    for (const PlotLine& line : panel.lines) {
      names = std::max(names, kLegendMark + width_of(line.name));
    }
  }
  const double right = kLeft + kPlotWidth;
  return {kLeft, right, kTop + kPlotHeight, right + kRight + names, kTop + kPlotHeight + kBottom};
}

std::string frame_svg(const PlotPanel& panel, const Frame& frame, const PlotAxis& x) {
  std::string svg;
  const double middle = (frame.left + frame.right) / 2;
  for (const double tick : x.ticks()) {
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\"/>\n",
        x.at(tick), panel.bars.empty() ? frame.bottom : kTop + 18, frame.bottom + 5,
        panel.bars.empty() ? "#888" : "#ddd");
    svg += text_at(x.at(tick), frame.bottom + 18, "middle", tick_text(tick));
  }
  svg += text_at(middle, frame.bottom + 40, "middle", panel.x_label);
  svg += fmt::format(
      "<text x=\"{:.1f}\" y=\"20\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>\n", middle,
      escaped(panel.title));
  svg += fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\" fill=\"none\" stroke=\"#444\"/>\n",
                     frame.left, kTop, frame.bottom, frame.right);
  return svg;
}

// The style of a line. Lines drawn first are wider, so that lines that coincide are all visible.
struct Pen {
  const char* colour;
  LineKind kind;
  double width;
};

std::string mark(double x, double y, const Pen& pen) {
  const char* fill = pen.kind == LineKind::kPublished ? "white" : pen.colour;
  return fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\" stroke=\"{}\"/>\n", x, y,
      pen.width + 1.4, fill, pen.colour);
}

std::string stroke(const Pen& pen) {
  return fmt::format("stroke=\"{}\" stroke-width=\"{:.1f}\"{}", pen.colour, pen.width,
                     pen.kind == LineKind::kPublished ? " stroke-dasharray=\"5 4\"" : "");
}

std::string line_svg(const PlotPanel& panel, const PlotLine& line, const Pen& pen,
                     const PlotAxis& x, const PlotAxis& y) {
  std::string path;
  std::string marks;
  for (const auto& [px, py] : line.points) {
    if (!has_place(panel.x_scale, px) || !has_place(panel.y_scale, py)) continue;
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x.at(px), y.at(py));
    marks += mark(x.at(px), y.at(py), pen);
  }
  return fmt::format("<path d=\"{}\" fill=\"none\" {}/>\n{}", path, stroke(pen), marks);
}

// There along the upper edge, back along the lower one.
std::string band_svg(const PlotPanel& panel, const PlotLine& line, const Pen& pen,
                     const PlotAxis& x, const PlotAxis& y) {
  std::string there;
  std::string back;
  for (const PlotLine::Spread& spread : line.band) {
    if (!has_place(panel.x_scale, spread.x) || !has_place(panel.y_scale, spread.low)) continue;
    there += fmt::format("{}{:.1f} {:.1f}", there.empty() ? "M" : "L", x.at(spread.x),
                         y.at(spread.high));
    back = fmt::format("L{:.1f} {:.1f}", x.at(spread.x), y.at(spread.low)) + back;
  }
  if (there.empty()) return "";
  return fmt::format("<path d=\"{}{}Z\" fill=\"{}\" fill-opacity=\"0.15\"/>\n", there, back,
                     pen.colour);
}

std::string legend_svg(const PlotLine& line, std::size_t number, const Pen& pen,
                       const Frame& frame) {
  const double x = frame.right + 16;
  const double y = kTop + 8 + 18 * static_cast<double>(number);
  return fmt::format("<path d=\"M{:.1f} {:.1f}h22\" {}/>\n", x, y, stroke(pen)) +
         mark(x + 11, y, pen) + text_at(x + 28, y + 4, "start", line.name);
}

std::string lines_svg(const PlotPanel& panel, const Frame& frame) {
  PlotRange x_range;
  PlotRange y_range;
  for (const PlotLine& line : panel.lines) {
    for (const auto& [px, py] : line.points) {
      if (!has_place(panel.x_scale, px) || !has_place(panel.y_scale, py)) continue;
      x_range.add(px);
      y_range.add(py);
    }
    for (const PlotLine::Spread& spread : line.band) {
      for (const double value : {spread.low, spread.high}) {
        if (has_place(panel.y_scale, value)) y_range.add(value);
      }
    }
  }
  const PlotAxis x(panel.x_scale, x_range, panel.x_from, frame.left, frame.right);
  const PlotAxis y(panel.y_scale, y_range, panel.y_from, frame.bottom, kTop);
  std::string svg;
  for (const double tick : y.ticks()) {
    svg += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n",
        frame.left, y.at(tick), frame.right, y.at(tick));
    svg += text_at(frame.left - 6, y.at(tick) + 4, "end", tick_text(tick));
  }
  svg += frame_svg(panel, frame, x);
  svg += fmt::format(
      "<text transform=\"translate(16 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
      (kTop + frame.bottom) / 2, escaped(panel.y_label));
  std::size_t colours = 0;
  for (std::size_t i = 0; i < panel.lines.size(); ++i) {
    const PlotLine& line = panel.lines[i];
    if (line.kind == LineKind::kMeasured || i == 0) ++colours;
    const double behind = static_cast<double>(panel.lines.size() - 1 - i);
    const Pen pen{kColours[(colours - 1) % kColours.size()], line.kind,
                  line.kind == LineKind::kPublished ? 1.4 : std::min(1.6 + 0.7 * behind, 3.7)};
    svg += band_svg(panel, line, pen, x, y);
    svg += line_svg(panel, line, pen, x, y);
    if (panel.lines.size() > 1) svg += legend_svg(line, i, pen, frame);
  }
  return svg;
}

std::string bar_svg(const PlotAxis& x, double top, double value, LineKind kind) {
  const bool published = kind == LineKind::kPublished;
  const double end = std::max(x.at(value), x.begin() + 1);
  return fmt::format(
             "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"10\" fill=\"{}\" "
             "stroke=\"{}\"/>\n",
             x.begin(), top, end - x.begin(), published ? "#eee" : kColours[0],
             published ? "#777" : kColours[0]) +
         text_at(end + 5, top + 9, "start",
                 value >= 1e4 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value));
}

std::string bars_svg(const PlotPanel& panel, const Frame& frame) {
  PlotRange range;
  bool any_published = false;
  for (const PlotBar& bar : panel.bars) {
    any_published = any_published || bar.published;
    for (const auto& value : {bar.published, bar.ours}) {
      if (value && has_place(panel.x_scale, *value)) range.add(*value);
    }
  }
  // A bar of the least value on a log axis has to be seen too.
  if (panel.x_scale != Scale::kLinear) range.low /= 2;
  const PlotAxis x(panel.x_scale, range, panel.x_from, frame.left, frame.right);
  std::string svg = frame_svg(panel, frame, x);
  if (any_published) {
    svg += fmt::format(
        "<rect x=\"{0:.1f}\" y=\"{2:.1f}\" width=\"22\" height=\"10\" fill=\"#eee\" "
        "stroke=\"#777\"/>\n<rect x=\"{1:.1f}\" y=\"{2:.1f}\" width=\"22\" height=\"10\" "
        "fill=\"{3}\"/>\n",
        frame.left + 8, frame.left + 110, kTop + 2, kColours[0]);
    svg += text_at(frame.left + 36, kTop + 11, "start", "published");
    svg += text_at(frame.left + 138, kTop + 11, "start", "ours");
  }
  double top = kTop + 24;
  for (const PlotBar& bar : panel.bars) {
    svg += text_at(frame.left - 8, top + 15, "end", bar.name);
    const double ours_at = bar.published ? top + 12 : top + 6;
    if (bar.published && has_place(panel.x_scale, *bar.published)) {
      svg += bar_svg(x, top, *bar.published, LineKind::kPublished);
    }
    if (bar.ours && has_place(panel.x_scale, *bar.ours)) {
      svg += bar_svg(x, ours_at, *bar.ours, LineKind::kMeasured);
    }
    top += kBarStep;
  }
  return svg;
}

}  // namespace

std::string svg_plot(const std::vector<PlotPanel>& panels) {
  const std::size_t columns = panels.size() <= 3 ? panels.size() : panels.size() == 4 ? 2 : 3;
  std::string body;
  double width = 0;
  double top = 0;
  for (std::size_t first = 0; first < panels.size(); first += columns) {
    double left = 0;
    double height = 0;
    for (std::size_t i = first; i < std::min(first + columns, panels.size()); ++i) {
      const Frame frame = frame_of(panels[i]);
      body += fmt::format(
          "<g transform=\"translate({:.0f} {:.0f})\">\n{}</g>\n", left, top,
          panels[i].bars.empty() ? lines_svg(panels[i], frame) : bars_svg(panels[i], frame));
      left += frame.width;
      height = std::max(height, frame.height);
    }
    width = std::max(width, left);
    top += height;
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"12\" "
      "fill=\"#222\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{2}</svg>\n",
      width, top, body);
}

}  // namespace fatwood
