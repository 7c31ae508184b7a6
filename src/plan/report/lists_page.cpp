// SPDX-License-Identifier: BSD-3-Clause
// All lists as one page to print: drawings, bill, a sheet for each rack, bundle and switch.

#include <fmt/format.h>

#include <algorithm>

#include "plan/report/cable_lists.hpp"
#include "report/cells.hpp"

namespace fatwood {

namespace {

constexpr std::string_view kStyle =
    "body{font:13px sans-serif;margin:2em;max-width:80em}table{border-collapse:collapse;"
    "margin:.5em 0}td,th{border:1px solid #999;padding:1px 7px;text-align:left}"
    "th{background:#eee}td.n{text-align:right}code{font:12px "
    "monospace}svg{max-width:100%;height:auto}"
    "section{margin-top:1.5em}nav{columns:6}"
    "@media print{body{margin:0;max-width:none}section{break-before:page}nav{display:none}"
    "tr{break-inside:avoid}thead{display:table-header-group}}";

std::string place_of(const PlanDevice& device) {
  return fmt::format("{} U{}", device.rack, device.unit);
}

constexpr std::string_view kEndColumns =
    "<th>port</th><th>label</th><th>to</th><th>port</th><th>where</th><th>cable</th><th>m</th>"
    "</tr></thead>\n";

std::string html_end(const PlanView& view, const EndRow& row) {
  const PlanDevice& there = view.plan.device(*row.far);
  const PlanCable& cable = view.plan.cables[row.cable];
  return fmt::format(
      "<td>{}</td><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
      "<td class=\"n\">{:g}</td></tr>\n",
      escaped(row.near->text), escaped(cable_label(view.plan, *row.near, *row.far)),
      escaped(there.name), escaped(row.far->text), escaped(place_of(there)), escaped(cable.type),
      cable.length_m);
}

std::string end_rows(const PlanView& view, const std::vector<EndRow>& ends) {
  std::string html = fmt::format("<table><thead><tr><th>done</th>{}", kEndColumns);
  for (const EndRow& row : ends) html += "<tr><td>&#9744;</td>" + html_end(view, row);
  return html + "</table>\n";
}

std::string bill_section(const PlanView& view) {
  std::string html =
      "<section><h2>Bill of materials</h2><table><thead><tr><th>item</th><th>number</th></tr>"
      "</thead>\n";
  for (const BillLine& line : bill_of(view.plan, view.sharing)) {
    html += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td></tr>\n", escaped(line.name()),
                        line.count);
  }
  html +=
      "</table><h3>Fullest trays</h3><table><thead><tr><th>tray</th><th>cables</th>"
      "<th>kg/m</th><th>fill</th></tr></thead>\n";
  for (std::size_t i = 0; i < view.layout.trays.size() && i < 12; ++i) {
    const TraySection& tray = view.layout.trays[i];
    html += fmt::format(
        "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{:.1f}</td><td class=\"n\">{:.0f}%{}"
        "</td></tr>\n",
        escaped(tray.name), tray.cables, tray.kg_per_m, 100 * tray.fill,
        tray.fill > view.rules.tray_fill ? " too full" : "");
  }
  return html + "</table></section>\n";
}

std::string rack_sections(const PlanView& view, const std::vector<std::vector<EndRow>>& ends) {
  std::string html;
  const auto by_rack = devices_by_rack(view);
  for (std::size_t r = 0; r < by_rack.size(); ++r) {
    if (by_rack[r].empty()) continue;
    html += fmt::format("<section id=\"rack-{0}\"><h2>Rack {0}</h2>\n",
                        escaped(view.layout.racks[r].name));
    std::string hosts;
    for (const std::uint32_t d : by_rack[r]) {
      const PlanDevice& device = view.plan.devices[d];
      if (!device.is_host()) {  // switches have sheets of their own
        html += fmt::format("<p>U{} <a href=\"#switch-{}\">{}</a>: {} cables, see its sheet</p>\n",
                            device.unit, d, escaped(device.name), ends[d].size());
        continue;
      }
      for (const EndRow& row : ends[d]) {
        hosts += fmt::format("<tr><td>&#9744;</td><td>U{}</td><td>{}</td>", device.unit,
                             escaped(device.name)) +
                 html_end(view, row);
      }
    }
    if (!hosts.empty()) {
      html += fmt::format("<table><thead><tr><th>done</th><th>unit</th><th>host</th>{}{}</table>\n",
                          kEndColumns, hosts);
    }
    html += "</section>\n";
  }
  return html;
}

std::string bundle_sections(const PlanView& view) {
  std::string html =
      "<section id=\"bundles\"><h2>Bundles</h2>\n<table><thead><tr><th>done</th>"
      "<th>bundle</th><th>cables</th><th>types and lengths</th></tr></thead>\n";
  for (const Bundle& bundle : view.layout.bundles) {
    std::map<std::pair<std::string, double>, std::size_t> kinds;
    for (const std::uint32_t i : bundle.cables) {
      ++kinds[{view.plan.cables[i].type, view.plan.cables[i].length_m}];
    }
    std::string text;
    for (const auto& [kind, count] : kinds) {
      text +=
          fmt::format("{}{} x {} {:g} m", text.empty() ? "" : ", ", count, kind.first, kind.second);
    }
    html += fmt::format("<tr><td>&#9744;</td><td>{}</td><td class=\"n\">{}</td><td>{}</td></tr>\n",
                        escaped(bundle_name(view, bundle)), bundle.cables.size(), escaped(text));
  }
  return html + "</table></section>\n";
}

std::string switch_sections(const PlanView& view, const std::vector<std::vector<EndRow>>& ends) {
  std::string html;
  for (std::uint32_t d = 0; d < view.plan.devices.size(); ++d) {
    const PlanDevice& device = view.plan.devices[d];
    if (device.is_host()) continue;
    html += fmt::format("<section id=\"switch-{}\"><h2>{} ({}, {})</h2>\n", d, escaped(device.name),
                        escaped(device.model), escaped(place_of(device)));
    html += end_rows(view, ends[d]) + "</section>\n";
  }
  return html;
}

}  // namespace

std::string lists_page(const PlanView& view, std::string_view title) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0} - "
      "Fatwood</title>\n<style>{1}</style></head><body>\n<h1>{0}</h1>\n",
      escaped(title), kStyle);
  const std::size_t switches = static_cast<std::size_t>(std::ranges::count_if(
      view.plan.devices, [](const PlanDevice& device) { return !device.is_host(); }));
  html += fmt::format(
      "<p>{} hosts and {} switches in {} racks, {} cables in {} bundles. A label has its own end "
      "first: rack-unit:port, then the far end.</p>\n",
      view.plan.devices.size() - switches, switches, view.layout.racks.size(),
      view.plan.cables.size(), view.layout.bundles.size());
  html += "<nav>";
  const auto by_rack = devices_by_rack(view);
  for (std::size_t r = 0; r < by_rack.size(); ++r) {
    if (by_rack[r].empty()) continue;
    html += fmt::format("<a href=\"#rack-{0}\">{0}</a><br>", escaped(view.layout.racks[r].name));
  }
  html += "</nav>\n<h2>Rows</h2>\n" + floor_svg(view) + "\n<h2>Racks</h2>\n" + racks_svg(view);
  const auto ends = ends_by_device(view.plan);
  return html + bill_section(view) + bundle_sections(view) + rack_sections(view, ends) +
         switch_sections(view, ends) + "</body></html>\n";
}

}  // namespace fatwood
