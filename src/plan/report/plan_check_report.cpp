// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "plan/report/plan_report.hpp"
#include "report/fabric/finding_text.hpp"
#include "report/fabric/rails_report.hpp"
#include "report/json.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kMaxPerKind = 12;

struct Reported {
  std::string_view severity, kind;
  std::string sentence;
  std::size_t line = 0;
};

// Of rails that are not straight. A host of services may have fewer rails than others.
bool is_rail_kind(FindingKind kind) {
  return kind == FindingKind::kRailCrossed || kind == FindingKind::kPortsExchanged ||
         kind == FindingKind::kOffPort;
}

std::vector<Reported> reported_findings(const PlanCheck& check, const Model& model) {
  std::vector<Reported> reported;
  for (const PlanFinding& finding : check.findings) {
    const bool error = finding.severity == PlanFinding::Severity::kError;
    reported.push_back({error ? "error" : "note", finding.kind, finding.sentence, finding.line});
  }
  for (const ReportedFinding& one : reported_findings(model.fabric(), model.recognition())) {
    reported.push_back(
        {is_irregular(one.kind) ? "error" : "note", to_string(one.kind), one.sentence, 0});
  }
  for (const ReportedFinding& one : reported_findings(model.fabric(), model.hosts())) {
    reported.push_back(
        {is_rail_kind(one.kind) ? "error" : "note", to_string(one.kind), one.sentence, 0});
  }
  std::ranges::stable_sort(reported, {}, [](const Reported& one) { return one.severity; });
  return reported;
}

std::string plan_verdict(const PlanCheck& check) {
  if (check.sound()) return "SOUND";
  return fmt::format(
      "NOT SOUND: {} wrong, {} places where the tree is not regular, {} rails not "
      "straight",
      check.errors, check.irregular, check.rails);
}

}  // namespace

std::string plan_check_text(const PlanCheck& check, const Plan& plan, const Model& model) {
  std::string text =
      fmt::format("{}\n{} devices, {} cables. {}\n", plan_verdict(check), plan.devices.size(),
                  plan.cables.size(), model.recognition().summary);
  std::map<std::string_view, std::size_t> seen;
  for (const Reported& one : reported_findings(check, model)) {
    if (++seen[one.kind] > kMaxPerKind) continue;
    text += fmt::format("{:<6} {:<14} {}{}\n", one.severity, one.kind, one.sentence,
                        one.line == 0 ? "" : fmt::format(" (line {})", one.line));
  }
  for (const auto& [kind, count] : seen) {
    if (count > kMaxPerKind) {
      text +=
          fmt::format("... and {} more of kind {}; --json has all\n", count - kMaxPerKind, kind);
    }
  }
  return text;
}

std::string plan_check_json(const PlanCheck& check, const Plan& plan, const Model& model) {
  Json findings = Json::list(reported_findings(check, model), [&](const Reported& one) -> Json {
    return {{"severity", one.severity},
            {"kind", one.kind},
            {"sentence", one.sentence},
            {"line", one.line == 0 ? Json() : Json(one.line)}};
  });
  Json json{{"sound", check.sound()},
            {"devices", plan.devices.size()},
            {"cables", plan.cables.size()},
            {"regular", model.recognition().map.has_value()},
            {"tree", model.recognition().summary},
            {"errors", check.errors},
            {"irregular", check.irregular},
            {"rails_crossed", check.rails},
            {"findings", findings}};
  return document(std::move(json));
}

}  // namespace fatwood
