#include "report/svg_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace fatwood {

namespace {

constexpr double kPanelWidth = 480;
constexpr double kHeight = 360;
constexpr double kLeft = 70;
constexpr double kRight = 20;
constexpr double kTop = 36;
constexpr double kBottom = 52;
constexpr std::array<const char*, 8> kColours{"#1f5fa8", "#c4501b", "#2b8a3e", "#8a3f9e",
                                              "#7a5c00", "#0b7f86", "#b3245e", "#555555"};

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&') {
      safe += "&amp;";
    } else if (c == '<') {
      safe += "&lt;";
    } else if (c == '>') {
      safe += "&gt;";
    } else {
      safe += c;
    }
  }
  return safe;
}

// 0.1, 25, 4k, 16M: short enough for an axis.
std::string tick_text(double value) {
  const double size = std::abs(value);
  if (size >= 1e6) return fmt::format("{:g}M", value / 1e6);
  if (size >= 1e4) return fmt::format("{:g}k", value / 1e3);
  return fmt::format("{:.4g}", std::abs(value) < 1e-12 ? 0.0 : value);
}

class Axis {
 public:
  Axis(Scale scale, double low, double high, double from, double to)
      : scale_(scale), from_(from), to_(to) {
    if (scale == Scale::kLog) {
      low_ = std::floor(std::log10(low) + 1e-9);
      high_ = std::max(low_ + 1, std::ceil(std::log10(high) - 1e-9));
      const double step = std::max(1.0, std::ceil((high_ - low_) / 8));
      for (double e = low_; e <= high_ + 1e-9; e += step) ticks_.push_back(std::pow(10, e));
      return;
    }
    ticks_ = round_ticks(low, high, 6);
    low_ = ticks_.front();
    high_ = ticks_.back();
  }
  double at(double value) const {
    const double v = scale_ == Scale::kLog ? std::log10(value) : value;
    return from_ + (v - low_) / (high_ - low_) * (to_ - from_);
  }
  const std::vector<double>& ticks() const { return ticks_; }

 private:
  Scale scale_;
  double from_, to_;
  double low_ = 0, high_ = 1;
  std::vector<double> ticks_;
};

bool shown(const PlotPanel& panel, const std::pair<double, double>& point) {
  return std::isfinite(point.first) && std::isfinite(point.second) &&
         (panel.x_scale == Scale::kLinear || point.first > 0) &&
         (panel.y_scale == Scale::kLinear || point.second > 0);
}

struct Range {
  double low = 0, high = 1;
  bool any = false;
  void add(double value) {
    low = any ? std::min(low, value) : value;
    high = any ? std::max(high, value) : value;
    any = true;
  }
};

// A linear axis starts at 0: throughput, latency and load all have a meaningful one.
Axis make_axis(Scale scale, Range range, double from, double to) {
  if (!range.any)
    range = {scale == Scale::kLog ? 1.0 : 0.0, scale == Scale::kLog ? 10.0 : 1.0, true};
  if (scale == Scale::kLinear) range.low = std::min(range.low, 0.0);
  if (range.high <= range.low) range.high = range.low + 1;
  return {scale, range.low, range.high, from, to};
}

std::string axes(const PlotPanel& panel, const Axis& x, const Axis& y) {
  std::string svg;
  const double bottom = kHeight - kBottom;
  const double right = kPanelWidth - kRight;
  for (const double tick : y.ticks()) {
    svg += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
        kLeft, y.at(tick), right, y.at(tick), kLeft - 6, y.at(tick) + 4, tick_text(tick));
  }
  for (const double tick : x.ticks()) {
    svg += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#888\"/>\n"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
        x.at(tick), bottom, x.at(tick), bottom + 5, x.at(tick), bottom + 18, tick_text(tick));
  }
  svg += fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\" fill=\"none\" stroke=\"#444\"/>\n",
                     kLeft, kTop, bottom, right);
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                     (kLeft + right) / 2, kHeight - 14, escaped(panel.x_label));
  svg += fmt::format(
      "<text transform=\"translate(16 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
      (kTop + bottom) / 2, escaped(panel.y_label));
  svg += fmt::format(
      "<text x=\"{:.1f}\" y=\"20\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>\n",
      (kLeft + right) / 2, escaped(panel.title));
  return svg;
}

std::string line_svg(const PlotPanel& panel, std::size_t number, const Axis& x, const Axis& y) {
  const PlotLine& line = panel.lines[number];
  const char* colour = kColours[number % kColours.size()];
  std::string path;
  std::string marks;
  for (const auto& point : line.points) {
    if (!shown(panel, point)) continue;
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x.at(point.first),
                        y.at(point.second));
    marks += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"/>\n",
                         x.at(point.first), y.at(point.second), colour);
  }
  std::string svg = fmt::format(
      "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"/>\n{}", path, colour, marks);
  if (panel.lines.size() > 1) {
    const double top = kTop + 8 + 16 * static_cast<double>(number);
    svg += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
        "stroke-width=\"3\"/>\n<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        kLeft + 10, top, kLeft + 30, top, colour, kLeft + 36, top + 4, escaped(line.name));
  }
  return svg;
}

}  // namespace

std::vector<double> round_ticks(double low, double high, int count) {
  const double rough = (high - low) / count;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = power;
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    step = power * factor;
    if (step >= rough * 0.999) break;
  }
  const auto first = static_cast<long>(std::floor(low / step + 1e-9));
  const auto last = static_cast<long>(std::ceil(high / step - 1e-9));
  std::vector<double> ticks;
  for (long i = first; i <= std::max(last, first + 1); ++i) {
    ticks.push_back(static_cast<double>(i) * step);
  }
  return ticks;
}

std::string svg_plot(const std::vector<PlotPanel>& panels) {
  const double width = kPanelWidth * static_cast<double>(panels.size());
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"12\" "
      "fill=\"#222\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      width, kHeight);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const PlotPanel& panel = panels[i];
    Range x_range;
    Range y_range;
    for (const PlotLine& line : panel.lines) {
      for (const auto& point : line.points) {
        if (!shown(panel, point)) continue;
        x_range.add(point.first);
        y_range.add(point.second);
      }
    }
    const Axis x = make_axis(panel.x_scale, x_range, kLeft, kPanelWidth - kRight);
    const Axis y = make_axis(panel.y_scale, y_range, kHeight - kBottom, kTop);
    svg += fmt::format("<g transform=\"translate({:.0f} 0)\">\n",
                       kPanelWidth * static_cast<double>(i));
    svg += axes(panel, x, y);
    for (std::size_t l = 0; l < panel.lines.size(); ++l) svg += line_svg(panel, l, x, y);
    svg += "</g>\n";
  }
  return svg + "</svg>\n";
}

}  // namespace fatwood
