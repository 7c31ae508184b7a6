// SPDX-License-Identifier: BSD-3-Clause
#include "plan/report/plan_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/json.hpp"

namespace fatwood {

namespace {

using CellRows = std::vector<std::vector<std::string>>;

// Columns as wide as their widest cell: texts left, numbers right. The first row is the header.
std::string aligned(const CellRows& rows, std::size_t texts) {
  std::vector<std::size_t> width;
  for (const auto& row : rows) {
    width.resize(std::max(width.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string_view gap = c == 0 ? "" : "  ";
      line += c != 0 && c < texts ? fmt::format("{}{:<{}}", gap, row[c], width[c])
                                  : fmt::format("{}{:>{}}", gap, row[c], width[c]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

// "8/4" and the like, from the leaves upwards.
template <class Value>
std::string by_level(const PlanCounts& counts, Value LevelCounts::* value) {
  std::string text;
  for (const LevelCounts& level : counts.levels) {
    text += fmt::format("{}{}", text.empty() ? "" : "/", level.*value);
  }
  return text;
}

std::string rate_cell(double gbps) { return fmt::format("{:.4g}", gbps); }

std::string loss_cell(const PlanFigures& figures, std::string_view role) {
  const auto at = std::ranges::find(figures.losses, role, &SwitchLoss::role);
  if (at == figures.losses.end()) return "-";
  if (!at->fault.empty() || at->rates().pairs == 0) return "apart";
  // Hosts of a leaf are lost with it; above, a lost pair is a split fabric.
  if (role != "leaf" && at->pairs_lost > 0) return "apart";
  return rate_cell(at->rates().worst_gbps);
}

// Why the loss of a switch cuts hosts off: "the only spine of its plane".
std::string apart_reason(const Design& d, const SwitchLoss& loss) {
  if (!loss.fault.empty()) return loss.fault;
  const bool leaf = loss.role == "leaf";
  const std::uint32_t alone = leaf                  ? d.units() * d.unit_leaves()
                              : loss.role == "core" ? d.cores
                                                    : d.spines;
  if (alone != 1) return fmt::format("{} pairs of end ports are lost", loss.pairs_lost);
  return fmt::format("the only {} of its {}", leaf ? "switch" : loss.role,
                     leaf || d.groups_of_pod() == 1 ? "plane" : "rail");
}

// A line for each alternative with losses that cut hosts off.
std::string apart_notes(const PlanResult& result) {
  std::string text;
  for (const PlannedAlternative& one : result.alternatives) {
    if (!one.figures) continue;
    for (const SwitchLoss& loss : one.figures->losses) {
      if (loss_cell(*one.figures, loss.role) != "apart") continue;
      text += fmt::format("apart in {}, -{}: {}\n", one.number, loss.role,
                          apart_reason(one.alternative.design, loss));
    }
  }
  return text;
}

std::string bisection_cell(double gbps) {
  if (gbps >= 1e7) return fmt::format("{:.0f}T", gbps / 1000);
  return gbps >= 10000 ? fmt::format("{:.4g}T", gbps / 1000) : fmt::format("{:.4g}G", gbps);
}

std::vector<std::string> alternative_row(const PlannedAlternative& one,
                                         const PlanOptions& options) {
  std::vector<std::string> row{fmt::format("{}", one.number),
                               one.alternative.name,
                               one.alternative.kit,
                               by_level(one.counts, &LevelCounts::switches),
                               fmt::format("{}", one.counts.switches()),
                               by_level(one.counts, &LevelCounts::cables),
                               by_level(one.counts, &LevelCounts::free_ports),
                               bisection_cell(one.counts.bisection_gbps)};
  if (options.figures != Figures::kNone) {
    if (one.figures) {
      const HostRates& intact = one.figures->intact;
      row.push_back(intact.pairs == 0 ? "-" : rate_cell(intact.worst_gbps));
      for (const std::string_view role : kSwitchRoles) {
        row.push_back(loss_cell(*one.figures, role));
      }
    } else {
      row.insert(row.end(), 4, "?");
    }
  }
  if (!one.material) {
    row.insert(row.end(), options.prices ? 3 : 2, "?");
    return row;
  }
  row.push_back(fmt::format("{}", one.material->racks));
  row.push_back(fmt::format("{:.0f}", one.material->cable_m));
  if (options.prices) row.push_back(fmt::format("{:.0f}", one.material->cost->total()));
  return row;
}

std::vector<std::string> unpriced_items(const PlanResult& result) {
  std::vector<std::string> items;
  for (const PlannedAlternative& one : result.alternatives) {
    if (!one.material || !one.material->cost) continue;
    for (const std::string& item : one.material->cost->unpriced) {
      if (std::ranges::find(items, item) == items.end()) items.push_back(item);
    }
  }
  return items;
}

std::string plan_notes(const PlanOptions& options, const PlanResult& result) {
  std::string text;
  const auto any = [&](auto test) { return std::ranges::any_of(result.alternatives, test); };
  if (options.figures != Figures::kNone) {
    const auto computed = std::ranges::find_if(
        result.alternatives,
        [](const PlannedAlternative& one) { return one.figures && one.figures->intact.pairs > 0; });
    if (computed != result.alternatives.end()) {
      text += fmt::format(
          "Gb/s: of the worst pair when all compute hosts send to all, for each end port (port "
          "{:g}), routed by {}; -leaf, -spine, -core: with one such switch missing, repaired or "
          "routed again, "
          "whichever gives more. "
          "apart: hosts are cut off.\n",
          computed->figures->intact.port_gbps, computed->figures->engine);
      text += apart_notes(result);
    }
    if (any([](const auto& one) { return !one.figures; })) {
      text += fmt::format("?: above {} end ports a plane; --figures all computes these, too.\n",
                          kSmallPlan);
    }
  }
  if (any([](const auto& one) { return !one.material; })) {
    text += fmt::format("? in racks: above {} links; --choose K lays out alternative K.\n",
                        kMostLaidOut);
  }
  for (const PlannedAlternative& one : result.alternatives) {
    if (!one.material || one.material->unreached == 0) continue;
    text += fmt::format("{}: {} cables are longer than any of the table reaches.\n",
                        one.alternative.name, one.material->unreached);
  }
  for (const PlannedAlternative& one : result.alternatives) {
    if (!one.material || !one.material->cost || !one.material->cost->watts) continue;
    text += fmt::format("{}: {:.1f} kW\n", one.alternative.name, *one.material->cost->watts / 1000);
  }
  const std::vector<std::string> items = unpriced_items(result);
  if (!items.empty()) {
    text += "Not in the cost, no price given:";
    for (std::size_t i = 0; i < items.size() && i < 12; ++i)
      text += fmt::format(" \"{}\"", items[i]);
    text += items.size() > 12 ? fmt::format(" and {} more\n", items.size() - 12) : "\n";
  }
  if (any([](const auto& one) { return one.alternative.design.planes > 1; })) {
    text += "Planes are separate networks: an adapter reaches those of its own plane only.\n";
  }
  return text;
}

Json rates_json(const HostRates& rates) {
  return {{"worst_gbps", rates.worst_gbps},
          {"p1_gbps", rates.p1_gbps},
          {"median_gbps", rates.median_gbps},
          {"port_gbps", rates.port_gbps},
          {"pairs", rates.pairs}};
}

Json figures_json(const PlanFigures& figures) {
  Json losses = Json::list(figures.losses, [&](const SwitchLoss& loss) -> Json {
    return {{"role", loss.role},
            {"switch", loss.name},
            {"rates", loss.fault.empty() ? rates_json(loss.rates()) : Json()},
            {"rerouted", loss.fault.empty() ? rates_json(loss.rerouted) : Json()},
            {"repaired", loss.fault.empty() ? rates_json(loss.repaired) : Json()},
            {"pairs_lost", loss.pairs_lost},
            {"fault", text_or_null(loss.fault)}};
  });
  return {{"engine", figures.engine}, {"intact", rates_json(figures.intact)}, {"without", losses}};
}

Json bill_json(const PlanOptions& options, const std::vector<BillLine>& bill) {
  Json lines = Json::array();
  for (const BillLine& line : bill) {
    Json entry{{"item", line.name()}, {"count", line.count}, {"length_m", nullptr}};
    if (line.kind == BillLine::Kind::kCable) entry["length_m"] = line.length_m;
    if (options.prices) {
      const auto price = price_of(*options.prices, line);
      entry["price"] = price;
    }
    lines.push_back(std::move(entry));
  }
  return lines;
}

Json alternative_json(const PlanOptions& options, const PlannedAlternative& one) {
  Json levels = Json::array();
  Json switches = Json::array();
  Json cables = Json::array();
  for (const LevelCounts& level : one.counts.levels) {
    switches.push_back(level.switches);
    cables.push_back(level.cables);
    levels.push_back({{"role", level.role},
                      {"switches", level.switches},
                      {"chips", level.chips},
                      {"links", level.links},
                      {"cables", level.cables},
                      {"joined", level.joined},
                      {"free_ports", level.free_ports}});
  }
  Json json{{"number", one.number},
            {"name", one.alternative.name},
            {"kit", one.alternative.kit},
            {"formula", formula(one.alternative.design)},
            {"planes", one.alternative.design.planes},
            {"levels", one.counts.levels.size()},
            {"switches", switches},
            {"cables", cables},
            {"by_level", levels},
            {"all_switches", one.counts.switches()},
            {"all_cables", one.counts.cables()},
            {"end_ports", one.counts.end_ports},
            {"service_ports", one.counts.service_ports},
            {"bisection_gbps", one.counts.bisection_gbps},
            {"racks", nullptr},
            {"cable_m", nullptr},
            {"unreached", nullptr},
            {"bill", nullptr},
            {"cost", nullptr},
            {"figures", one.figures ? figures_json(*one.figures) : Json()}};
  if (!one.material) return json;
  json["racks"] = one.material->racks;
  json["cable_m"] = one.material->cable_m;
  json["unreached"] = one.material->unreached;
  json["bill"] = bill_json(options, one.material->bill);
  if (const auto& cost = one.material->cost) {
    json["cost"] = {{"total", cost->total()},     {"switches", cost->switches},
                    {"cables", cost->cables},     {"transceivers", cost->transceivers},
                    {"adapters", cost->adapters}, {"watts", cost->watts},
                    {"unpriced", cost->unpriced}};
  }
  return json;
}

std::size_t trays_over(const PlanView& view) {
  return static_cast<std::size_t>(std::ranges::count_if(
      view.layout.trays,
      [&](const TraySection& tray) { return tray.fill > view.rules.tray_fill; }));
}

}  // namespace

std::string plan_text(const PlanOptions& options, const PlanResult& result) {
  CellRows rows{{"#", "alternative", "switch", "switches", "all", "cables", "free", "bisection"}};
  if (options.figures != Figures::kNone) {
    for (const char* title : {"Gb/s", "-leaf", "-spine", "-core"}) rows[0].emplace_back(title);
  }
  rows[0].emplace_back("racks");
  rows[0].emplace_back("cable m");
  if (options.prices) {
    rows[0].push_back(options.prices->currency.empty() ? "cost" : options.prices->currency);
  }
  for (const PlannedAlternative& one : result.alternatives)
    rows.push_back(alternative_row(one, options));
  std::string text = aligned(rows, 3);
  text += "\nSwitches and free ports: leaf/spine/core. Cables: host-leaf/leaf-spine/spine-core.\n";
  text += plan_notes(options, result);
  text += "\nFormulas, for any other verb:\n";
  for (const PlannedAlternative& one : result.alternatives) {
    text += fmt::format("{:>3}  '{}'\n", one.number, formula(one.alternative.design));
  }
  return text;
}

std::string plan_json(const PlanOptions& options, const PlanResult& result) {
  Json list = Json::list(result.alternatives, [&](const PlannedAlternative& one) {
    return alternative_json(options, one);
  });
  Json json{{"hosts", options.sizing.hosts}, {"currency", nullptr}, {"choices", list}};
  if (options.prices && !options.prices->currency.empty()) {
    json["currency"] = options.prices->currency;
  }
  return document(std::move(json));
}

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
  Json bill = Json::list(bill_of(view.plan, view.sharing), [&](const BillLine& line) -> Json {
    return {{"item", line.name()}, {"count", line.count}, {"length_m", line.length_m}};
  });
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
