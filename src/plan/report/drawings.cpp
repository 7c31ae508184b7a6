// SPDX-License-Identifier: BSD-3-Clause

#include <fmt/format.h>

#include <algorithm>

#include "core/text/natural_order.hpp"
#include "plan/report/cable_lists.hpp"
#include "report/cells.hpp"

namespace fatwood {

namespace {

constexpr double kUnitHeight = 12;
constexpr double kRackWidth = 130;
constexpr double kGap = 30;
constexpr std::size_t kRacksInLine = 8;

std::string_view colour_of(const PlanDevice& device) {
  if (device.role == "leaf") return "#9ecae1";
  if (device.role == "spine") return "#fdae6b";
  if (device.role == "core") return "#fc9272";
  if (!device.is_host()) return "#bcbddc";
  if (device.role == "storage") return "#c7e9c0";
  if (device.role == "management" || device.role == "gateway") return "#e5d8bd";
  return "#e8e8e8";
}

std::string svg_open(double width, double height) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"10\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      width, height);
}

std::string rack_drawing(const PlanView& view, std::size_t rack,
                         const std::vector<std::uint32_t>& devices, double x, double y) {
  const Rack& at = view.layout.racks[rack];
  const double height = at.units * kUnitHeight;
  std::string svg = fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"13\" font-weight=\"bold\">{}</text>\n"
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#fafafa\" "
      "stroke=\"#444\"/>\n",
      x, y - 5, escaped(at.name), x, y, kRackWidth, height);
  for (std::uint32_t unit = 1; unit <= at.units; unit += 5) {
    svg += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"8\" fill=\"#666\" text-anchor=\"end\">{}"
        "</text>\n",
        x - 3, y + height - (unit - 1) * kUnitHeight - 3, unit);
  }
  for (const std::uint32_t d : devices) {
    const PlanDevice& device = view.plan.devices[d];
    const double box = view.layout.height[d] * kUnitHeight;
    const double top = y + height - (device.unit - 1) * kUnitHeight - box;
    svg += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
        "stroke=\"#666\" stroke-width=\"0.5\"/>\n<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        x + 2, top, kRackWidth - 4, box, colour_of(device), x + 6, top + box / 2 + 3.5,
        escaped(device.name.substr(0, 22)));
  }
  return svg;
}

struct Floor {
  std::vector<std::string> rows;
  std::uint32_t last = 1;  // position
};

Floor floor_of(const Layout& layout) {
  Floor floor;
  for (const Rack& rack : layout.racks) {
    if (std::ranges::find(floor.rows, rack.row) == floor.rows.end()) floor.rows.push_back(rack.row);
    floor.last = std::max(floor.last, rack.position);
  }
  std::ranges::sort(floor.rows, [](const auto& a, const auto& b) { return natural_less(a, b); });
  return floor;
}

// The role that most devices of a rack have decides its colour.
std::string_view rack_colour(const PlanView& view, const std::vector<std::uint32_t>& devices) {
  std::map<std::string, std::size_t> count;
  for (const std::uint32_t d : devices) ++count[view.plan.devices[d].role];
  std::string_view colour = "white";
  std::size_t most = 0;
  for (const std::uint32_t d : devices) {
    const std::size_t n = count[view.plan.devices[d].role];
    if (n > most) {
      most = n;
      colour = colour_of(view.plan.devices[d]);
    }
  }
  return colour;
}

std::string legend(double x, double y) {
  std::string svg;
  for (const auto& [role, text] : {std::pair{"leaf", "leaves"},
                                   {"spine", "spines"},
                                   {"core", "cores"},
                                   {"compute", "hosts"},
                                   {"storage", "storage"}}) {
    PlanDevice device;
    device.role = role;
    const std::string_view word = role;
    if (word == "compute" || word == "storage") device.kind = NodeKind::kAdapter;
    svg += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"12\" fill=\"{}\" "
        "stroke=\"#666\"/><text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        x, y, colour_of(device), x + 17, y + 10, text);
    x += 75;
  }
  return svg;
}

// How a tray is drawn: green to the limit, red above.
std::string tray_line(const PlanView& view, const TraySection& tray, double x1, double y1,
                      double x2, double y2) {
  const double share = tray.fill / view.rules.tray_fill;
  const double width = 1.5 + 6 * std::min(share, 1.5);
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
      "stroke-width=\"{:.1f}\"><title>{}: {} cables, {:.0f}% full</title></line>\n",
      x1, y1, x2, y2,
      share > 1      ? "#d73027"
      : share > 0.75 ? "#fdae61"
                     : "#66bd63",
      width, escaped(tray.name), tray.cables, 100 * tray.fill);
}

}  // namespace

std::string racks_svg(const PlanView& view) {
  const auto by_rack = devices_by_rack(view);
  std::uint32_t units = 1;
  for (const Rack& rack : view.layout.racks) units = std::max(units, rack.units);
  const double line = units * kUnitHeight + 50;
  const std::size_t lines = (by_rack.size() + kRacksInLine - 1) / kRacksInLine;
  const std::size_t across = std::min(by_rack.size(), kRacksInLine);
  std::string svg =
      svg_open(std::max(static_cast<double>(across) * (kRackWidth + kGap) + 20, 420.0),
               static_cast<double>(lines) * line + 30);
  svg += legend(20, 6);
  for (std::size_t r = 0; r < by_rack.size(); ++r) {
    svg += rack_drawing(view, r, by_rack[r],
                        24 + static_cast<double>(r % kRacksInLine) * (kRackWidth + kGap),
                        50 + static_cast<double>(r / kRacksInLine) * line);
  }
  return svg + "</svg>\n";
}

std::string floor_svg(const PlanView& view) {
  const Floor floor = floor_of(view.layout);
  const auto by_rack = devices_by_rack(view);
  constexpr double kWide = 46, kDeep = 50, kPitch = 100, kLeft = 50, kTop = 50;
  const auto x_of = [&](double position) { return kLeft + (position - 1) * kWide; };
  const auto y_of = [&](double row) { return kTop + row * kPitch; };
  std::string svg = svg_open(std::max(kLeft + floor.last * kWide + 20, 420.0),
                             kTop + static_cast<double>(floor.rows.size()) * kPitch);
  svg += legend(20, 8);
  for (const TraySection& tray : view.layout.trays) {
    if (tray.across) {
      const double x = x_of(tray.position + 0.5);
      svg += tray_line(view, tray, x, y_of(tray.row) + kDeep + 12, x,
                       y_of(tray.row + 1.0) + kDeep + 12);
    } else {
      const double y = y_of(tray.row) + kDeep + 12;
      svg += tray_line(view, tray, x_of(tray.position + 0.5), y, x_of(tray.position + 1.5), y);
    }
  }
  for (std::size_t i = 0; i < floor.rows.size(); ++i) {
    svg +=
        fmt::format("<text x=\"14\" y=\"{:.1f}\" font-size=\"14\" font-weight=\"bold\">{}</text>\n",
                    y_of(static_cast<double>(i)) + kDeep / 2 + 5, escaped(floor.rows[i]));
  }
  for (std::size_t r = 0; r < view.layout.racks.size(); ++r) {
    const Rack& rack = view.layout.racks[r];
    const auto row =
        static_cast<double>(std::ranges::find(floor.rows, rack.row) - floor.rows.begin());
    svg += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
        "stroke=\"#444\"><title>{}: {} devices</title></rect>\n<text x=\"{:.1f}\" y=\"{:.1f}\" "
        "text-anchor=\"middle\">{}</text>\n",
        x_of(rack.position) + 2, y_of(row), kWide - 4, kDeep, rack_colour(view, by_rack[r]),
        escaped(rack.name), by_rack[r].size(), x_of(rack.position + 0.5), y_of(row) + kDeep / 2 + 3,
        escaped(rack.name.substr(0, 8)));
  }
  return svg + "</svg>\n";
}

}  // namespace fatwood
