// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "topology/recognise/recognition.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kIntended = 4;  // hosts with the same lower rate

constexpr std::array<std::pair<std::string_view, Severity>, 18> kSeverities = {{
    {"parts", Severity::kBad},
    {"no-lid", Severity::kBad},
    {"same-lid", Severity::kBad},
    {"same-guid", Severity::kBad},
    {"no-tree", Severity::kNote},
    {"small-group", Severity::kNote},
    {"side", Severity::kNote},
    {"horizontal", Severity::kNote},
    {"skipping", Severity::kNote},
    {"upper-host", Severity::kNote},
    {"aggregation", Severity::kNote},
    {"several-ports", Severity::kNote},
    {"uneven-hosts", Severity::kNote},
    {"no-hosts", Severity::kNote},
    {"unnamed-host", Severity::kNote},
    {"stock-name", Severity::kNote},
    {"rail-guest", Severity::kNote},
    {"rail-numbering", Severity::kNote},
}};

}  // namespace

std::string_view to_string(Severity severity) {
  constexpr std::array<std::string_view, 3> kNames = {"bad", "warn", "note"};
  return kNames[static_cast<std::size_t>(severity)];
}

Severity severity_of_kind(std::string_view kind) {
  const auto* const found =
      std::ranges::find(kSeverities, kind, &std::pair<std::string_view, Severity>::first);
  return found == kSeverities.end() ? Severity::kWarn : found->second;
}

std::vector<Severity> severities(const Recognition& known) {
  std::map<Rate, std::size_t> slow_hosts;
  for (const Finding& finding : known.findings) {
    if (finding.kind != "slow-host") continue;
    slow_hosts[std::get<UsualRate>(finding.facts).rate] += finding.ports.size();
  }
  std::vector<Severity> result;
  for (const Finding& finding : known.findings) {
    if (const auto* slow = std::get_if<UsualRate>(&finding.facts)) {
      const bool intended = finding.kind == "slow-host" && slow_hosts[slow->rate] >= kIntended &&
                            slow->rate.width > 1;
      const bool bad = 2 * gigabits(slow->rate) < gigabits(slow->usual);
      result.push_back(intended ? Severity::kNote : bad ? Severity::kBad : Severity::kWarn);
    } else if (const auto* links = std::get_if<LackingLinks>(&finding.facts)) {
      result.push_back(2 * links->there <= links->usual ? Severity::kBad : Severity::kWarn);
    } else {
      result.push_back(severity_of_kind(finding.kind));
    }
  }
  return result;
}

}  // namespace fatwood
