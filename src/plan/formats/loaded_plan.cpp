// SPDX-License-Identifier: BSD-3-Clause
#include "plan/formats/loaded_plan.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "io/base/text.hpp"
#include "plan/model/device_words.hpp"
#include "plan/model/plan_fabric.hpp"
#include "topology/interface_name.hpp"

namespace fatwood {

void PlanRows::refuse(const Location& where, const std::string& message) {
  if (strictness == Strictness::kStrict) throw InputError(where, message);
  warnings.add(where.line, message + " (row left out)");
}

void PlanRows::add(CableRow row, std::size_t column_a, std::size_t column_b) {
  places.push_back({row.line, column_a, column_b});
  builder.add(std::move(row));
}

namespace {

// Texts of ports that say more than the number.
Names panel_labels(const Plan& plan, const PlannedFabric& planned) {
  std::vector<std::string_view> by_channel(planned.fabric.num_channels());
  bool any = false;
  const auto note = [&](const PlanEnd& end, Channel c) {
    if (plan.device(end).is_host()) return;
    const auto text = parse_port_text(end.text);
    if (text && text->card.empty() && text->numbers.size() == 1 && !is_switch_interface(end.text)) {
      return;
    }
    by_channel[index(c)] = end.text;
    any = true;
  };
  for (std::size_t i = 0; i < plan.cables.size(); ++i) {
    note(plan.cables[i].a, planned.cables[i].first);
    note(plan.cables[i].b, planned.cables[i].second);
  }
  Names labels;
  if (!any) return labels;
  for (const std::string_view text : by_channel) labels.push_back(text);
  return labels;
}

}  // namespace

LoadedFabric loaded_plan(Plan plan, std::string format, const Warnings& warnings) {
  PlannedFabric planned = planned_fabric(plan);
  LoadedFabric loaded;
  loaded.run.labels = panel_labels(plan, planned);
  loaded.fabric = std::move(planned.fabric);
  loaded.format = std::move(format);
  loaded.warnings = warnings.texts();
  loaded.plan = std::make_shared<const Plan>(std::move(plan));
  return loaded;
}

namespace {

Plan checked_plan(PlanRows& rows) {
  PlanBuilder::Result built = rows.builder.build();
  for (const RowProblem& problem : built.problems) {
    const RowPlace& place = rows.places[problem.row];
    const bool first = problem.where == RowProblem::Where::kA;
    rows.refuse({rows.file, place.line, first ? place.column_a : place.column_b}, problem.message);
  }
  if (built.plan.devices.empty()) {
    throw InputError({rows.file}, "has no cable; expected a row for each, below the header");
  }
  return std::move(built.plan);
}

}  // namespace

LoadedFabric loaded_plan(PlanRows rows, std::string format) {
  Plan plan = checked_plan(rows);
  return loaded_plan(std::move(plan), std::move(format), rows.warnings);
}

LoadedFabric with_ethernet_speeds(PlanRows rows, std::string_view asked, std::string format) {
  Plan plan = checked_plan(rows);
  std::map<Rate, std::size_t> known;
  for (PlanCable& cable : plan.cables) {
    cable.rate = ethernet_rate(sold_speed(cable.rate)).value_or(Rate{});
    if (cable.rate != Rate{}) ++known[cable.rate];
  }
  Rate rest = parse_ethernet_rate(asked).value_or(Rate{});
  std::string note;
  if (rest == Rate{} && known.empty()) {
    rest = kDefaultEthernetRate;
    note = fmt::format("{}: no column has the speed of cables: taken as {} ({} sets another)",
                       rows.file, to_string(rest), param("rate"));
  }
  for (PlanCable& cable : plan.cables) {
    if (cable.rate == Rate{}) cable.rate = rest;
  }
  LoadedFabric loaded = loaded_plan(std::move(plan), std::move(format), rows.warnings);
  loaded.note = std::move(note);
  return loaded;
}

Rate read_speed(std::string_view text, std::string_view type) {
  text = trimmed(text);
  if (const auto rate = parse_rate(text)) return *rate;
  std::size_t end = 0;
  while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
  const auto number = parse_number<double>(text.substr(0, end));
  // "NDR", "400G NDR": the name alone is four lanes.
  if (!number) return parse_rate(fmt::format("4x{}", text)).value_or(Rate{});
  const double gbps = *number >= 2000 ? *number / 1000 : *number;
  return rate_of_speed(gbps, fmt::format("{} {}", text.substr(end), type)).value_or(Rate{});
}

std::optional<double> read_length(std::string_view text, std::string_view unit) {
  text = trimmed(text);
  std::size_t end = 0;
  while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
  const auto number = parse_number<double>(text.substr(0, end));
  if (!number || *number > 100000) return std::nullopt;
  std::string word = lower_case(trimmed(text.substr(end)));
  if (word.empty()) word = lower_case(unit);
  if (word.empty() || word == "m" || word == "meter" || word == "meters") return *number;
  if (word == "cm") return *number / 100;
  if (word == "km") return *number * 1000;
  if (word == "ft" || word == "feet") return *number * 0.3048;
  if (word == "in") return *number * 0.0254;
  return std::nullopt;
}

}  // namespace fatwood
