// SPDX-License-Identifier: BSD-3-Clause
#include "plan/formats/plan_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"
#include "plan/formats/plan_settings.hpp"

namespace fatwood {

namespace {

// "2:1", "2" (to 1).
PortRatio ratio_of(std::string_view text) {
  const auto parts = split_at(text, ':');
  const auto down = parse_number<std::uint32_t>(parts[0]);
  const auto up =
      parts.size() == 2 ? parse_number<std::uint32_t>(parts[1]) : std::optional<std::uint32_t>(1);
  if (parts.size() > 2 || !down || !up || *down == 0 || *up == 0 || *down > 1000 || *up > 1000) {
    throw InputError(
        fmt::format("{}: expected A:B for leaves and, after a comma, for spines, as in "
                    "2:1,1:1; found \"{}\"",
                    param("oversubscription"), text));
  }
  return {*down, *up};
}

std::uint32_t growth_of(const std::string& text, unsigned hosts) {
  if (text.empty()) return 0;
  const bool percent = text.ends_with('%');
  const auto value = parse_number<std::uint32_t>(text.substr(0, text.size() - (percent ? 1 : 0)));
  if (!value || *value > kMostPlanHosts) {
    throw InputError(
        fmt::format("{}: expected hosts or a percentage, as in 128 or 25%; "
                    "found \"{}\"",
                    param("growth"), text));
  }
  return percent ? static_cast<std::uint32_t>((std::uint64_t{hosts} * *value + 99) / 100) : *value;
}

void read_reserve(const std::vector<std::string>& reserve, SizingOptions& sizing) {
  for (const std::string& word : reserve) {
    const auto parts = split_at(word, '=');
    const auto value = parse_number<std::uint32_t>(parts.size() == 2 ? parts[1] : "");
    std::uint32_t* const to = parts[0] == "storage"      ? &sizing.storage
                              : parts[0] == "management" ? &sizing.management
                              : parts[0] == "gateway"    ? &sizing.gateways
                              : parts[0] == "spare"      ? &sizing.spare
                                                         : nullptr;
    if (to == nullptr || value.value_or(kMostPlanHosts + 1) > kMostPlanHosts) {
      throw InputError(fmt::format(
          "{}: expected storage=N, management=N, gateway=N (links in all) or spare=N (free "
          "links of each leaf); found \"{}\"",
          param("reserve"), word));
    }
    *to = value.value_or(0);
  }
}

std::vector<SwitchModel> catalogue_of(const PlanWords& words) {
  const auto ours = default_catalogue();
  if (words.catalogue.empty()) return {ours.begin(), ours.end()};
  Input input(words.catalogue);
  return read_catalogue(input);
}

std::vector<SwitchKit> kits_of(const PlanWords& words) {
  if (words.radix == 0) {
    return kits_for(catalogue_of(words), words.rate);
  }
  SwitchModel leaf;
  leaf.name = fmt::format("{}-port", words.radix);
  leaf.ports = words.radix;
  leaf.speed = words.rate * words.split;
  leaf.cage = words.radix == 64 || words.radix == 144 ? 2 : 1;
  SwitchModel spine = leaf;
  if (!words.spine_radix.empty()) {
    const auto parts = split_at(words.spine_radix, ':');
    const auto ports = parse_number<std::uint32_t>(parts[0]);
    const auto chips =
        parts.size() == 2 ? parse_number<std::uint32_t>(parts[1]) : std::optional<std::uint32_t>(0);
    if (parts.size() > 2 || !ports || !chips || *ports < 2) {
      throw InputError(fmt::format(
          "{}: expected ports, and for a director the ports of its chips, as in 800:40; "
          "found \"{}\"",
          param("spine_radix"), words.spine_radix));
    }
    spine.name = fmt::format("{}-port {}", *ports, *chips == 0 ? "switch" : "director");
    spine.ports = *ports;
    spine.chips = *chips;
  }
  return {{leaf, spine, words.split}};
}

}  // namespace

LayoutRules layout_of(const PlanWords& words) {
  LayoutRules rules;
  if (!words.layout.empty()) {
    Input input(words.layout);
    rules = read_layout(input);
  }
  // As make_plan() calls them.
  for (const SwitchModel& model : catalogue_of(words)) {
    rules.heights.emplace_back(
        fmt::format("{}-port {}", model.ports, model.chips == 0 ? "switch" : "director"),
        model.height);
  }
  return rules;
}

CableTable cables_of(const PlanWords& words) {
  if (words.cables.empty()) return default_cables();
  Input input(words.cables);
  return read_cable_table(input);
}

PlanRequest read_plan_words(const PlanWords& words) {
  PlanRequest request;
  SizingOptions& sizing = request.sizing;
  sizing.hosts = words.hosts;
  sizing.rails = words.rails;
  sizing.ports = words.adapter_ports;
  sizing.planes = words.planes;
  sizing.speed = words.rate;
  sizing.kits = kits_of(words);
  sizing.unit = words.unit;
  sizing.pod = words.pod;
  sizing.unit_spine = words.unit_spine;
  sizing.growth = growth_of(words.growth, words.hosts);
  if (!words.oversubscription.empty()) {
    for (const std::string_view part : split_at(words.oversubscription, ',')) {
      sizing.ratios.push_back(ratio_of(part));
    }
  }
  read_reserve(words.reserve, sizing);
  request.links_per_cable = words.twin ? 2 : 1;
  request.rules = layout_of(words);
  request.cables = cables_of(words);
  if (!words.prices.empty()) {
    Input input(words.prices);
    request.prices = read_prices(input);
  }
  return request;
}

}  // namespace fatwood
