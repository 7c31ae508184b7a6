// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <map>

#include "topology/recognise/recognition.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kIntended = 4;  // hosts with the same lower rate

}  // namespace

std::string_view to_string(Severity severity) {
  constexpr std::array<std::string_view, 3> kNames = {"bad", "warn", "note"};
  return kNames[static_cast<std::size_t>(severity)];
}

std::vector<Severity> severities(const Recognition& known) {
  std::map<Rate, std::size_t> slow_hosts;
  for (const Finding& finding : known.findings) {
    if (finding.kind != FindingKind::kSlowHost) continue;
    slow_hosts[std::get<UsualRate>(finding.facts).rate] += finding.ports.size();
  }
  std::vector<Severity> result;
  for (const Finding& finding : known.findings) {
    if (const auto* slow = std::get_if<UsualRate>(&finding.facts)) {
      const bool intended = finding.kind == FindingKind::kSlowHost &&
                            slow_hosts[slow->rate] >= kIntended && slow->rate.width > 1;
      const bool bad = 2 * gigabits(slow->rate) < gigabits(slow->usual);
      result.push_back(intended ? Severity::kNote : bad ? Severity::kBad : Severity::kWarn);
    } else if (const auto* links = std::get_if<LackingLinks>(&finding.facts)) {
      result.push_back(2 * links->there <= links->usual ? Severity::kBad : Severity::kWarn);
    } else {
      result.push_back(row_of(finding.kind).severity);
    }
  }
  return result;
}

}  // namespace fatwood
