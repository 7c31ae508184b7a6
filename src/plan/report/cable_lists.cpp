// SPDX-License-Identifier: BSD-3-Clause
#include "plan/report/cable_lists.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/cells.hpp"

namespace fatwood {

namespace {

std::string metres(double m) { return m == 0 ? "" : fmt::format("{:g}", m); }
std::string unit_text(const PlanDevice& device) {
  return device.unit == 0 ? "" : fmt::format("{}", device.unit);
}

}  // namespace

std::vector<std::vector<EndRow>> ends_by_device(const Plan& plan) {
  std::vector<std::vector<EndRow>> ends(plan.devices.size());
  for (std::uint32_t i = 0; i < plan.cables.size(); ++i) {
    const PlanCable& cable = plan.cables[i];
    ends[cable.a.device].push_back({i, &cable.a, &cable.b});
    ends[cable.b.device].push_back({i, &cable.b, &cable.a});
  }
  for (std::vector<EndRow>& list : ends) {
    std::ranges::sort(list, {},
                      [](const EndRow& row) { return std::pair(row.near->chip, row.near->port); });
  }
  return ends;
}

std::vector<std::vector<std::uint32_t>> devices_by_rack(const PlanView& view) {
  std::vector<std::vector<std::uint32_t>> devices(view.layout.racks.size());
  for (std::uint32_t d = 0; d < view.plan.devices.size(); ++d) {
    devices[view.layout.rack_of[d]].push_back(d);
  }
  for (std::vector<std::uint32_t>& list : devices) {
    std::ranges::stable_sort(list, {}, [&](std::uint32_t d) { return view.plan.devices[d].unit; });
  }
  return devices;
}

std::string bundle_name(const PlanView& view, const Bundle& bundle) {
  const std::string& a = view.layout.racks[bundle.rack_a].name;
  return bundle.rack_a == bundle.rack_b
             ? a
             : fmt::format("{}--{}", a, view.layout.racks[bundle.rack_b].name);
}

std::string racks_csv(const PlanView& view) {
  std::string csv =
      "rack,unit,device,port,label,to_rack,to_unit,to_device,to_port,cable_type,length_m,speed\n";
  const auto ends = ends_by_device(view.plan);
  for (const std::vector<std::uint32_t>& devices : devices_by_rack(view)) {
    for (const std::uint32_t d : devices) {
      for (const EndRow& row : ends[d]) {
        const PlanDevice& here = view.plan.devices[d];
        const PlanDevice& there = view.plan.device(*row.far);
        const PlanCable& cable = view.plan.cables[row.cable];
        csv += csv_line({here.rack, unit_text(here), here.name, row.near->text,
                         cable_label(view.plan, *row.near, *row.far), there.rack, unit_text(there),
                         there.name, row.far->text, cable.type, metres(cable.length_m),
                         to_string(cable.rate)});
      }
    }
  }
  return csv;
}

std::string bundles_csv(const PlanView& view) {
  std::string csv =
      "bundle,cables,label_a,label_b,device_a,port_a,device_b,port_b,cable_type,length_m\n";
  for (const Bundle& bundle : view.layout.bundles) {
    const std::string name = bundle_name(view, bundle);
    const std::string count = fmt::format("{}", bundle.cables.size());
    for (const std::uint32_t i : bundle.cables) {
      const PlanCable& cable = view.plan.cables[i];
      csv += csv_line({name, count, cable_label(view.plan, cable.a, cable.b),
                       cable_label(view.plan, cable.b, cable.a), view.plan.device(cable.a).name,
                       cable.a.text, view.plan.device(cable.b).name, cable.b.text, cable.type,
                       metres(cable.length_m)});
    }
  }
  return csv;
}

std::string switches_csv(const PlanView& view) {
  std::string csv =
      "switch,rack,unit,port,to_device,to_port,to_rack,to_unit,label,cable_type,"
      "length_m,speed\n";
  const auto ends = ends_by_device(view.plan);
  for (std::uint32_t d = 0; d < view.plan.devices.size(); ++d) {
    const PlanDevice& device = view.plan.devices[d];
    if (device.is_host()) continue;
    for (const EndRow& row : ends[d]) {
      const PlanDevice& there = view.plan.device(*row.far);
      const PlanCable& cable = view.plan.cables[row.cable];
      csv += csv_line({device.name, device.rack, unit_text(device), row.near->text, there.name,
                       row.far->text, there.rack, unit_text(there),
                       cable_label(view.plan, *row.near, *row.far), cable.type,
                       metres(cable.length_m), to_string(cable.rate)});
    }
  }
  return csv;
}

std::string bill_csv(const PlanView& view, const PriceList* prices) {
  std::string csv = "item,count,length_m,price_each,price\n";
  for (const BillLine& line : bill_of(view.plan, view.sharing)) {
    std::vector<std::string> cells{line.name(), fmt::format("{}", line.count),
                                   metres(line.length_m), "", ""};
    if (prices != nullptr) {
      if (const auto each = price_of(*prices, line)) {
        cells[3] = fmt::format("{:.2f}", *each);
        cells[4] = fmt::format("{:.2f}", *each * static_cast<double>(line.count));
      }
    }
    csv += csv_line(cells);
  }
  return csv;
}

std::string trays_csv(const PlanView& view) {
  std::string csv = "tray,cables,area_mm2,kg_per_m,fill,over\n";
  for (const TraySection& tray : view.layout.trays) {
    csv +=
        csv_line({tray.name, fmt::format("{}", tray.cables), fmt::format("{:.0f}", tray.area_mm2),
                  fmt::format("{:.2f}", tray.kg_per_m), fmt::format("{:.3f}", tray.fill),
                  tray.fill > view.rules.tray_fill ? "yes" : ""});
  }
  return csv;
}

}  // namespace fatwood
