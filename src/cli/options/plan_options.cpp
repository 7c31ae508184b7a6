// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/plan_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/parse_number.hpp"
#include "io/plan/plan_settings.hpp"

namespace fatwood::cli {

namespace {

constexpr unsigned kMostPlanHosts = 1'000'000;

std::vector<std::string_view> split_at(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// "2:1", "2" (to 1).
PortRatio ratio_of(std::string_view text) {
  const auto parts = split_at(text, ':');
  const auto down = parse_number<std::uint32_t>(parts[0]);
  const auto up =
      parts.size() == 2 ? parse_number<std::uint32_t>(parts[1]) : std::optional<std::uint32_t>(1);
  if (parts.size() > 2 || !down || !up || *down == 0 || *up == 0 || *down > 1000 || *up > 1000) {
    throw InputError(fmt::format(
        "--oversubscription: expected A:B for leaves and, after a comma, for spines, as in "
        "2:1,1:1; found \"{}\"",
        text));
  }
  return {*down, *up};
}

std::uint32_t growth_of(const std::string& text, unsigned hosts) {
  if (text.empty()) return 0;
  const bool percent = text.ends_with('%');
  const auto value = parse_number<std::uint32_t>(text.substr(0, text.size() - (percent ? 1 : 0)));
  if (!value || *value > kMostPlanHosts) {
    throw InputError(
        fmt::format("--growth: expected hosts or a percentage, as in 128 or 25%; "
                    "found \"{}\"",
                    text));
  }
  return percent ? static_cast<std::uint32_t>((std::uint64_t{hosts} * *value + 99) / 100) : *value;
}

void read_reserve(const std::vector<std::string>& words, SizingOptions& sizing) {
  for (const std::string& word : words) {
    const auto parts = split_at(word, '=');
    const auto value = parse_number<std::uint32_t>(parts.size() == 2 ? parts[1] : "");
    std::uint32_t* const to = parts[0] == "storage"      ? &sizing.storage
                              : parts[0] == "management" ? &sizing.management
                              : parts[0] == "gateway"    ? &sizing.gateways
                              : parts[0] == "spare"      ? &sizing.spare
                                                         : nullptr;
    if (to == nullptr || value.value_or(kMostPlanHosts + 1) > kMostPlanHosts) {
      throw InputError(fmt::format(
          "--reserve: expected storage=N, management=N, gateway=N (links in all) or spare=N (free "
          "links of each leaf); found \"{}\"",
          word));
    }
    *to = value.value_or(0);
  }
}

std::vector<SwitchModel> catalogue_of(const PlanArguments& arguments) {
  const auto ours = default_catalogue();
  if (arguments.catalogue.empty()) return {ours.begin(), ours.end()};
  Input input(arguments.catalogue);
  return read_catalogue(input);
}

std::vector<SwitchKit> kits_of(const PlanArguments& arguments) {
  if (arguments.radix == 0) {
    return kits_for(catalogue_of(arguments), arguments.rate);
  }
  SwitchModel leaf;
  leaf.name = fmt::format("{}-port", arguments.radix);
  leaf.ports = arguments.radix;
  leaf.speed = arguments.rate * arguments.split;
  leaf.cage = arguments.radix == 64 || arguments.radix == 144 ? 2 : 1;
  SwitchModel spine = leaf;
  if (!arguments.spine_radix.empty()) {
    const auto parts = split_at(arguments.spine_radix, ':');
    const auto ports = parse_number<std::uint32_t>(parts[0]);
    const auto chips =
        parts.size() == 2 ? parse_number<std::uint32_t>(parts[1]) : std::optional<std::uint32_t>(0);
    if (parts.size() > 2 || !ports || !chips || *ports < 2) {
      throw InputError(fmt::format(
          "--spine-radix: expected ports, and for a director the ports of its chips, as in 800:40; "
          "found \"{}\"",
          arguments.spine_radix));
    }
    spine.name = fmt::format("{}-port {}", *ports, *chips == 0 ? "switch" : "director");
    spine.ports = *ports;
    spine.chips = *chips;
  }
  return {{leaf, spine, arguments.split}};
}

}  // namespace

LayoutRules layout_of(const PlanArguments& arguments) {
  LayoutRules rules;
  if (!arguments.layout.empty()) {
    Input input(arguments.layout);
    rules = read_layout(input);
  }
  // As make_plan() calls them.
  for (const SwitchModel& model : catalogue_of(arguments)) {
    rules.heights.emplace_back(
        fmt::format("{}-port {}", model.ports, model.chips == 0 ? "switch" : "director"),
        model.height);
  }
  return rules;
}

CableTable cables_of(const PlanArguments& arguments) {
  if (arguments.cables.empty()) return default_cables();
  Input input(arguments.cables);
  return read_cable_table(input);
}

PlanOptions plan_options(const PlanArguments& arguments, const Session& session) {
  PlanOptions options;
  SizingOptions& sizing = options.sizing;
  sizing.hosts = arguments.hosts;
  sizing.rails = arguments.rails;
  sizing.ports = arguments.adapter_ports;
  sizing.planes = arguments.planes;
  sizing.speed = arguments.rate;
  sizing.kits = kits_of(arguments);
  sizing.unit = arguments.unit;
  sizing.pod = arguments.pod;
  sizing.unit_spine = arguments.unit_spine;
  sizing.growth = growth_of(arguments.growth, arguments.hosts);
  if (!arguments.oversubscription.empty()) {
    for (const std::string_view part : split_at(arguments.oversubscription, ',')) {
      sizing.ratios.push_back(ratio_of(part));
    }
  }
  read_reserve(arguments.reserve, sizing);
  options.links_a_cable = arguments.twin ? 2 : 1;
  options.rules = layout_of(arguments);
  options.cables = cables_of(arguments);
  if (!arguments.prices.empty()) {
    Input input(arguments.prices);
    options.prices = read_prices(input);
  }
  options.figures = arguments.figures == "none"  ? Figures::kNone
                    : arguments.figures == "all" ? Figures::kAll
                                                 : Figures::kSmall;
  options.choose = arguments.choose;
  options.figure = {arguments.engine, session.threads};
  return options;
}

namespace {

void add_plan_results(Verb& verb, PlanArguments& a, const Option* hosts) {
  const std::string results = "Results";
  verb.add_option("--choose", a.choose, "only the alternative of this number")
      ->range(1, 10000)
      ->needs(hosts)
      ->group(results);
  verb.add_option("--figures", a.figures, "which alternatives are routed: small, all or none")
      ->one_of({"small", "all", "none"})
      ->needs(hosts)
      ->show_default()
      ->group(results);
  verb.add_option("--engine", a.engine, "what routes them")
      ->needs(hosts)
      ->show_default()
      ->group(results);
  verb.add_option("--prices", a.prices, "file: your prices")->needs(hosts)->group(results);
  verb.add_option("--layout", a.layout, "file: racks, rows, trays and places")->group(results);
  verb.add_option("--cables", a.cables, "file: types of cables, their reaches and lengths")
      ->group(results);
}

}  // namespace

const Option* add_plan_options(Verb& verb, PlanArguments& a) {
  const std::string size = "Size";
  const Option* hosts =
      verb.add_option("--hosts", a.hosts, "compute hosts")->range(1U, kMostPlanHosts)->group(size);
  const auto sized = [&](Option* option) { option->needs(hosts)->group(size); };
  sized(verb.add_option("--rails,--adapters", a.rails, "adapters of a host, a rail each")
            ->range(1, 64)
            ->show_default());
  sized(verb.add_option("--adapter-ports", a.adapter_ports, "ports of an adapter")
            ->range(1, 8)
            ->show_default());
  sized(verb.add_option("--rate", a.rate, "Gb/s of a host link, as sold")
            ->range(1, 10000)
            ->show_default());
  Option* radix =
      verb.add_option("--radix", a.radix,
                      "ports of a switch (default: what the catalogue has at this rate)")
          ->range(2, 254);
  sized(radix);
  sized(verb.add_option("--spine-radix", a.spine_radix,
                        "ports of spines and cores, if others; PORTS:CHIP for directors with chips "
                        "of CHIP ports")
            ->needs(radix));
  sized(verb.add_option("--split", a.split, "hosts on one port of a leaf, by splitter cables")
            ->range(1, 8)
            ->needs(radix)
            ->show_default());
  Option* catalogue = verb.add_option("--catalogue", a.catalogue, "file: switches to choose from");
  sized(catalogue->excludes(radix));
  sized(verb.add_option("--oversubscription", a.oversubscription,
                        "down:up of leaves, and after a comma of spines, as in 2:1,1:1"));
  sized(verb.add_option("--unit", a.unit, "hosts of a unit (default: what a leaf takes)")
            ->range(1U, kMostPlanHosts));
  sized(verb.add_option("--pod", a.pod, "hosts of a pod (default: as many as can be)")
            ->range(1U, kMostPlanHosts));
  sized(verb.add_flag("--unit-spine", a.unit_spine, "each unit has a spine of its own"));
  sized(verb.add_option("--planes", a.planes,
                        "separate networks (default: one, and one a rail as an alternative)")
            ->range(1, 64));
  sized(verb.add_option("--reserve", a.reserve,
                        "storage=N, management=N, gateway=N: links of such hosts; spare=N: free "
                        "links of each leaf")
            ->separated_by(','));
  sized(verb.add_option("--growth", a.growth,
                        "hosts of later, as 128 or 25%: upper levels have "
                        "ports for them"));
  sized(verb.add_flag("--twin", a.twin, "two links share a cable, from cage to cage"));
  add_plan_results(verb, a, hosts);
  return hosts;
}

}  // namespace fatwood::cli
