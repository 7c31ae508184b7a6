// SPDX-License-Identifier: BSD-3-Clause
#include "plan/task/check_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/error.hpp"
#include "plan/model/cable_table.hpp"
#include "plan/model/device_words.hpp"
#include "plan/model/plan_builder.hpp"
#include "topology/hosts/rails.hpp"

namespace fatwood {

namespace {

using Severity = PlanFinding::Severity;

// Findings that are no fault of a plan: planes, a pod that is not full, several ports, addresses.
// Speeds are checked here.
constexpr std::array kNoFault{
    FindingKind::kParts,        FindingKind::kSmallGroup,  FindingKind::kAggregation,
    FindingKind::kSeveralPorts, FindingKind::kUnevenHosts, FindingKind::kNoHosts,
    FindingKind::kNoCable,      FindingKind::kSameName,    FindingKind::kWithoutLid,
    FindingKind::kSameLid,      FindingKind::kSameGuid,    FindingKind::kSlowCable,
    FindingKind::kSlowHost};

class PlanChecker {
 public:
  PlanChecker(const Plan& plan, const PlanCheckOptions& options) : plan_(plan), options_(options) {}

  std::vector<PlanFinding> run() {
    check_names();
    check_places();
    check_cables();
    check_speeds();
    check_cages();
    if (options_.rules != nullptr) check_lengths();
    return std::move(findings_);
  }

 private:
  void add(Severity severity, std::string_view kind, std::string sentence, std::size_t line = 0) {
    findings_.push_back({severity, kind, std::move(sentence), line});
  }
  std::string cable_text(const PlanCable& cable) const {
    return end_text(plan_, cable.a) + " - " + end_text(plan_, cable.b);
  }

  // Devices of one name were told apart by their places: "leaf1@A01-U40".
  void check_names() {
    std::map<std::string, std::vector<std::string>> places;
    for (const PlanDevice& device : plan_.devices) {
      const std::string place = place_text(device);
      if (!place.empty() && device.name.ends_with("@" + place)) {
        places[device.name.substr(0, device.name.size() - place.size() - 1)].push_back(place);
      }
    }
    for (const auto& [name, at] : places) {
      std::string list;
      for (const std::string& place : at) list += (list.empty() ? "" : ", ") + place;
      add(Severity::kNote, "name",
          fmt::format("{} devices are called {}; told apart by their places: {}", at.size(), name,
                      list));
    }
  }

  void check_places() {
    std::map<std::pair<std::string, std::uint32_t>, const PlanDevice*> at;
    for (const PlanDevice& device : plan_.devices) {
      if (device.rack.empty() || device.unit == 0) continue;
      const auto [first, is_new] = at.emplace(std::pair(device.rack, device.unit), &device);
      if (is_new) continue;
      // Several hosts may share a chassis.
      const bool hosts = device.is_host() && first->second->is_host();
      add(hosts ? Severity::kNote : Severity::kError, "place",
          fmt::format("{} and {} both stand at {}", first->second->name, device.name,
                      place_text(device)));
    }
  }

  void check_cables() {
    for (const PlanCable& cable : plan_.cables) {
      if (cable.type.empty()) continue;
      const CableKind* kind = kind_of(options_.cables, cable);
      if (kind == nullptr) {
        check_type(cable);
      } else if (cable.length_m > kind->reach_m) {
        add(Severity::kError, "reach",
            fmt::format("{}: {} of {:g} m; at {:g} Gb/s it reaches {:g} m", cable_text(cable),
                        cable.type, cable.length_m, sold_speed(cable.rate), kind->reach_m),
            cable.line);
      }
    }
  }
  // A type that the table has, but not at this speed; part numbers of others are not known.
  void check_type(const PlanCable& cable) {
    PlanCable any = cable;
    any.rate = Rate{};
    if (kind_of(options_.cables, any) == nullptr) {
      ++unknown_[cable.type];
      return;
    }
    add(Severity::kError, "type",
        fmt::format("{}: the table has no {} for {:g} Gb/s", cable_text(cable), cable.type,
                    sold_speed(cable.rate)),
        cable.line);
  }

  // Between hosts and switches, and between switches by role, one speed is usual.
  void check_speeds() {
    std::map<std::pair<std::string, std::string>, std::map<double, std::size_t>> count;
    const auto key = [&](const PlanCable& cable) {
      std::string a = level_word(plan_.device(cable.a));
      std::string b = level_word(plan_.device(cable.b));
      if (b < a) std::swap(a, b);
      return std::pair(std::move(a), std::move(b));
    };
    for (const PlanCable& cable : plan_.cables) {
      if (cable.rate != Rate{}) ++count[key(cable)][sold_speed(cable.rate)];
    }
    for (const PlanCable& cable : plan_.cables) {
      const auto& rates = count[key(cable)];
      if (rates.size() < 2 || cable.rate == Rate{}) continue;
      const auto usual =
          std::ranges::max_element(rates, {}, [](const auto& one) { return one.second; });
      if (usual->first == sold_speed(cable.rate)) continue;
      add(Severity::kError, "speed",
          fmt::format("{}: {:g} Gb/s, where {} cables of its kind have {:g}", cable_text(cable),
                      sold_speed(cable.rate), usual->second, usual->first),
          cable.line);
    }
    for (const auto& [type, cables] : unknown_) {
      add(Severity::kNote, "type",
          fmt::format("{} cables of type {}: its reach is not known; a file of cables can say it",
                      cables, type));
    }
  }
  static std::string level_word(const PlanDevice& device) {
    return device.is_host() ? "host " + device.role : device.role;
  }

  void check_cages() {
    for (const std::vector<std::uint32_t>& cage : cages_of(plan_)) {
      const PlanCable& first = plan_.cables[cage.front()];
      for (const std::uint32_t k : cage) {
        const PlanCable& cable = plan_.cables[k];
        const std::string differs = difference(first, cable);
        if (differs.empty()) continue;
        add(Severity::kError, "cage",
            fmt::format("{} and {} share a cage: {}", cable_text(first), cable_text(cable),
                        differs),
            cable.line);
        break;
      }
    }
  }
  // Of two cables in a cage; "" for none.
  static std::string difference(const PlanCable& a, const PlanCable& b) {
    const bool types = !a.type.empty() && !b.type.empty();
    if (types && lower_case(a.type) != lower_case(b.type)) {
      return fmt::format("{} and {}", a.type, b.type);
    }
    if (a.rate != Rate{} && b.rate != Rate{} && a.rate != b.rate) {
      return fmt::format("{} and {}", to_string(a.rate), to_string(b.rate));
    }
    if (types && a.length_m > 0 && b.length_m > 0 && a.length_m != b.length_m &&
        !is_fibre(a.type)) {
      return fmt::format("one {} can't be {:g} m and {:g} m long", a.type, a.length_m, b.length_m);
    }
    return "";
  }

  void check_lengths() {
    Plan laid = plan_;
    const Layout layout = lay_out(laid, *options_.rules, options_.cables);
    for (std::size_t i = 0; i < plan_.cables.size(); ++i) {
      const PlanCable& cable = plan_.cables[i];
      if (cable.length_m == 0 || cable.length_m + 1e-9 >= layout.run_m[i]) continue;
      add(Severity::kError, "length",
          fmt::format("{}: {:g} m; its way over the trays takes {:.1f} m", cable_text(cable),
                      cable.length_m, layout.run_m[i]),
          cable.line);
    }
  }

  const Plan& plan_;
  const PlanCheckOptions& options_;
  std::map<std::string, std::size_t> unknown_;  // cables by type that the table has not
  std::vector<PlanFinding> findings_;
};

}  // namespace

bool is_irregular(FindingKind kind) { return std::ranges::find(kNoFault, kind) == kNoFault.end(); }

PlanCheck check_plan(const Plan& plan, const Model& model, const std::vector<std::string>& rows,
                     const PlanCheckOptions& options) {
  PlanCheck check;
  for (const std::string& row : rows) {
    const bool left_out = row.find("row left out") != std::string::npos;
    const auto severity = left_out ? PlanFinding::Severity::kError : PlanFinding::Severity::kNote;
    check.findings.push_back({severity, "row", row, 0});
  }
  for (PlanFinding& finding : PlanChecker(plan, options).run()) {
    check.findings.push_back(std::move(finding));
  }
  std::ranges::stable_sort(check.findings, {}, &PlanFinding::severity);
  check.errors = static_cast<std::size_t>(
      std::ranges::count(check.findings, PlanFinding::Severity::kError, &PlanFinding::severity));
  check.irregular = static_cast<std::size_t>(
      std::ranges::count_if(model.recognition().findings,
                            [](const Finding& finding) { return is_irregular(finding.kind); }));
  check.rails = static_cast<std::size_t>(
      std::ranges::count_if(model.hosts().rails.findings, [](const RailFinding& finding) {
        // A host of services may have fewer rails than others.
        return finding.kind != RailFault::kAdapterMissing &&
               finding.kind != RailFault::kLeafMissing;
      }));
  return check;
}

}  // namespace fatwood
