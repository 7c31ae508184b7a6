// SPDX-License-Identifier: BSD-3-Clause
// Files of `fatwood diff PLAN FOUND`: CSV, a page, UFM's report.

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/cells.hpp"
#include "report/fabric/cabling_report.hpp"
#include "topology/labels.hpp"

namespace fatwood {

namespace {

std::vector<std::string> end_cells(const Plan& plan, const PlanEnd& end) {
  const PlanDevice& device = plan.device(end);
  return {device.rack, device.unit == 0 ? "" : fmt::format("U{}", device.unit), device.name,
          end.text};
}

std::string table_page(std::string_view title, const std::vector<CablingProgress>& rows) {
  if (rows.empty()) return "";
  std::string html = fmt::format(
      "<h2>By {}</h2>\n<table><tr><th>{}</th><th>planned</th><th>right</th><th>wrong</th>"
      "<th>missing</th><th>unknown</th></tr>\n",
      title, title);
  for (const CablingProgress& row : rows) {
    html +=
        fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                    escaped(row.name), row.planned, row.right, row.wrong, row.missing, row.unknown);
  }
  return html + "</table>\n";
}

// "dev/port - dev/port" as UFM writes it.
std::string ufm_cable(const Plan& plan, std::uint32_t cable) {
  const PlanEnd& a = plan.cables[cable].a;
  const PlanEnd& b = plan.cables[cable].b;
  return fmt::format("{}/{} - {}/{}", plan.device(a).name, a.text, plan.device(b).name, b.text);
}
std::string ufm_found(const CablingView& view, Channel c) {
  const Fabric& fabric = view.found.fabric();
  const auto end = [&](Channel e) {
    return fmt::format("{}/Port {}", display_name(fabric, fabric.owner(e)), index(fabric.port(e)));
  };
  return fmt::format("{} - {}", end(c), end(fabric.peer(c)));
}

}  // namespace

std::string cabling_csv(const CablingView& view) {
  std::string csv =
      "kind,rack_a,unit_a,device_a,port_a,rack_b,unit_b,device_b,port_b,label,found,do,cost_gbps\n";
  const Plan& plan = view.check.plan;
  for (const CablingFault& fault : view.check.cabling.faults) {
    const FaultWords words = words_of(view, fault);
    const auto row = [&](std::vector<std::string> cells, const std::string& label, std::size_t i) {
      cells.insert(cells.begin(), std::string(kind_word(fault.kind)));
      cells.push_back(label);
      cells.push_back(i < fault.found.size() ? view.found.labels().cable(fault.found[i])
                                             : fault.detail);
      cells.push_back(words.todo);
      cells.push_back(fmt::format("{:g}", fault.cost_gbps));
      csv += csv_line(cells);
    };
    for (std::size_t i = 0; i < fault.cables.size(); ++i) {
      const PlanCable& cable = plan.cables[fault.cables[i]];
      std::vector<std::string> cells = end_cells(plan, cable.a);
      const std::vector<std::string> other = end_cells(plan, cable.b);
      cells.insert(cells.end(), other.begin(), other.end());
      row(std::move(cells), cable.label, i);
    }
    for (std::size_t i = 0; fault.cables.empty() && i < fault.found.size(); ++i) {
      row(std::vector<std::string>(8), "", i);
    }
  }
  return csv;
}

std::string cabling_page(const CablingView& view, std::string_view title) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{} - "
      "Fatwood</title>\n<style>body{{font:14px sans-serif;margin:2em;max-width:75em}}"
      "table{{border-collapse:collapse}}td,th{{border:1px solid #999;padding:2px 8px;"
      "text-align:left;vertical-align:top}}@media print{{h2{{break-after:avoid}}"
      "tr{{break-inside:avoid}}}}</style></head><body>\n<h1>{}</h1>\n",
      escaped(title), escaped(title));
  const CablingProgress& all = view.check.all;
  html += fmt::format(
      "<p>{} of {} planned cables are right, {} wrong, {} missing, {} at devices that do not "
      "answer.</p>\n",
      all.right, all.planned, all.wrong, all.missing, all.unknown);
  if (!view.check.cabling.faults.empty()) {
    html +=
        "<h2>Faults</h2>\n<table><tr><th>done</th><th>fault</th><th>where</th><th>what to do"
        "</th><th>Gb/s</th></tr>\n";
  }
  for (const CablingFault& fault : view.check.cabling.faults) {
    const FaultWords words = words_of(view, fault);
    html += fmt::format("<tr><td>&#9744;</td><td>{}</td><td>{}</td><td>{}</td><td>{:g}</td></tr>\n",
                        kind_word(fault.kind), escaped(words.what), escaped(words.todo),
                        fault.cost_gbps);
  }
  if (!view.check.cabling.faults.empty()) html += "</table>\n";
  return html + table_page("level", view.check.levels) + table_page("unit", view.check.units) +
         table_page("rack", view.check.racks) + "</body></html>\n";
}

std::string cabling_ufm(const CablingView& view, std::string_view timestamp) {
  const Plan& plan = view.check.plan;
  Json wired = Json::array(), absent = Json::array(), unplanned = Json::array();
  for (const CablingFault& fault : view.check.cabling.faults) {
    // UFM calls it miswired if the devices are right; others are one missing and one unplanned.
    if (fault.kind == CablingFaultKind::kWrongPort) {
      wired.push_back({{"expected", ufm_cable(plan, fault.cables.front())},
                       {"actual", ufm_found(view, fault.found.front())}});
      continue;
    }
    const bool link = fault.kind == CablingFaultKind::kSlow ||
                      fault.kind == CablingFaultKind::kNarrow ||
                      fault.kind == CablingFaultKind::kFlapping;
    if (link) continue;
    for (const std::uint32_t k : fault.cables) absent.push_back(ufm_cable(plan, k));
    for (const Channel c : fault.found) unplanned.push_back(ufm_found(view, c));
  }
  Json json{{"error", ""},
            {"timestamp", timestamp},
            {"report",
             {{"miss_wired", wired}, {"missing_in_ufm", absent}, {"missing_in_ndt", unplanned}}}};
  return json.text() + "\n";
}

}  // namespace fatwood
