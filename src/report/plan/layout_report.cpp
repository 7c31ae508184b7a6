// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "report/json.hpp"
#include "report/plan/plan_report.hpp"

namespace fatwood {

namespace {

std::size_t trays_over(const PlanView& view) {
  return static_cast<std::size_t>(std::ranges::count_if(
      view.layout.trays,
      [&](const TraySection& tray) { return tray.fill > view.rules.tray_fill; }));
}

}  // namespace

std::string layout_text(const PlanView& view) {
  std::string text =
      fmt::format("{} devices in {} racks, {} cables in {} bundles\n", view.plan.devices.size(),
                  view.layout.racks.size(), view.plan.cables.size(), view.layout.bundles.size());
  for (const BillLine& line : bill_of(view.plan, view.sharing)) {
    text += fmt::format("{:>8}  {}\n", line.count, line.name());
  }
  if (!view.layout.trays.empty()) {
    const TraySection& tray = view.layout.trays.front();
    text += fmt::format("Fullest tray: {}, {} cables, {:.0f}% full", tray.name, tray.cables,
                        100 * tray.fill);
    const std::size_t over = trays_over(view);
    text += over > 0 ? fmt::format("; {} sections are above {:.0f}%.\n", over,
                                   100 * view.rules.tray_fill)
                     : ".\n";
  }
  if (!view.layout.unreached.empty()) {
    text += fmt::format("{} cables are longer than any of the table reaches.\n",
                        view.layout.unreached.size());
  }
  return text;
}

std::string layout_json(const PlanView& view) {
  Json bill = Json::array();
  for (const BillLine& line : bill_of(view.plan, view.sharing)) {
    bill.push_back({{"item", line.name()}, {"count", line.count}, {"length_m", line.length_m}});
  }
  Json trays = Json::array();
  for (std::size_t i = 0; i < view.layout.trays.size() && i < 20; ++i) {
    const TraySection& tray = view.layout.trays[i];
    trays.push_back({{"tray", tray.name}, {"cables", tray.cables}, {"fill", tray.fill}});
  }
  Json json{{"devices", view.plan.devices.size()},
            {"racks", view.layout.racks.size()},
            {"cables", view.plan.cables.size()},
            {"bundles", view.layout.bundles.size()},
            {"bill", bill},
            {"trays", trays},
            {"trays_over", trays_over(view)},
            {"unreached", view.layout.unreached.size()}};
  return document(std::move(json));
}

}  // namespace fatwood
