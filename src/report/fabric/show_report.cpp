// SPDX-License-Identifier: BSD-3-Clause
#include "report/fabric/show_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/text/wrap.hpp"
#include "report/fabric/rails_report.hpp"
#include "report/fabric/roles_report.hpp"
#include "report/json.hpp"
#include "topology/model.hpp"

namespace fatwood {
namespace {

constexpr std::size_t kShownPerKind = 5;

// Adapters that some switch's level counts, each once.
std::size_t hosts_of(const Fabric& fabric, const ShowReport& report) {
  Table<Node, std::uint8_t> seen(fabric.num_nodes());
  std::size_t hosts = 0;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const TerminalRole role = report.known.levels.role[t];
    if (role == TerminalRole::kOnLeaf || role == TerminalRole::kUpper) {
      hosts += 1U - seen[fabric.adapter_node(t)];
      seen[fabric.adapter_node(t)] = 1;
    }
  }
  return hosts;
}

Fraction fraction(std::uint64_t above, std::uint64_t below) {
  return {static_cast<std::int64_t>(above), static_cast<std::int64_t>(below)};
}

std::string bandwidth(std::uint64_t megabits) {
  const double gigabits = static_cast<double>(megabits) / 1000;
  return gigabits >= 10000 ? fmt::format("{:.1f} Tb/s", gigabits / 1000)
                           : fmt::format("{:.0f} Gb/s", gigabits);
}

std::string head(const Fabric& fabric, const ShowReport& report) {
  const auto& role = report.known.levels.role;
  const auto internal = std::count(role.begin(), role.end(), TerminalRole::kAggregation);
  std::string terminals = counted(fabric.num_terminals(), "terminal");
  if (internal > 0) {
    terminals += fmt::format(" ({} of hosts, {} of switches)",
                             fabric.num_terminals() - static_cast<std::size_t>(internal), internal);
  }
  return fmt::format("{}, {}, {}, {}\n", counted(fabric.num_switches(), "switch"),
                     counted(fabric.num_adapters(), "adapter"), terminals,
                     counted(fabric.num_cables(), "cable"));
}

std::string span_of(std::uint64_t least, std::uint64_t most) {
  return least == most ? std::to_string(most) : fmt::format("{}-{}", least, most);
}

std::string level_table(const ShowReport& report) {
  const std::string_view row = "{:<10} {:>8} {:>7} {:>7} {:>11} {:>7} {:>7} {:>7} {:>7}  {}\n";
  std::string text = fmt::format(fmt::runtime(row), "level", "switches", "ports", "hosts",
                                 "on a switch", "down", "up", "across", "free", "down:up");
  for (auto at = report.capacity.levels.rbegin(); at != report.capacity.levels.rend(); ++at) {
    const std::string name = level_name(report.known.levels, at->level);
    const bool named = report.known.levels.height <= 3 && report.known.levels.height > 1;
    const std::string ratio = at->megabits_up == 0
                                  ? "-"
                                  : fmt::format("{:.2f}", static_cast<double>(at->megabits_down) /
                                                              static_cast<double>(at->megabits_up));
    text += fmt::format(fmt::runtime(row),
                        named ? fmt::format("{} {}", at->level, name) : std::to_string(at->level),
                        at->switches, span_of(at->least_ports, at->most_ports), at->hosts,
                        at->hosts == 0 ? "-" : span_of(at->least_hosts, at->most_hosts), at->down,
                        at->up, at->side, at->free, ratio);
  }
  return text;
}

std::string bisection_line(const ShowReport& report) {
  const auto& cut = report.capacity.bisection;
  if (!cut) return "";
  const std::string where = cut->level == 0
                                ? std::string("the hosts' cables")
                                : fmt::format("the {} cables from {} up", cut->cables,
                                              level_name(report.known.levels, cut->level));
  std::string text = "Bisection: half of " + where;
  if (report.capacity.by_rate) text += ", " + bandwidth(cut->megabits);
  if (cut->hosts_megabits > 0 && cut->level > 0) {
    text += fmt::format(
        ", {:.0f}% of what half of the hosts can send",
        100.0 * static_cast<double>(cut->megabits) / static_cast<double>(cut->hosts_megabits));
  }
  return text + ".\n";
}

std::string finding_list(const std::vector<ReportedFinding>& findings, Detail detail,
                         std::size_t columns) {
  constexpr std::size_t kIndentOfText = 17;
  if (findings.empty()) return "No findings.\n";
  std::map<FindingKind, std::size_t> total;
  for (const ReportedFinding& finding : findings) ++total[finding.kind];
  std::string text = "Findings:\n";
  std::map<FindingKind, std::size_t> shown;
  for (const ReportedFinding& finding : findings) {
    if (finding.kind == FindingKind::kNoTree) continue;  // said above
    const std::size_t count = ++shown[finding.kind];
    const bool few = total[finding.kind] <= kShownPerKind + 1;
    if (detail == Detail::kAll || few || count <= kShownPerKind) {
      text += fmt::format("  {:<14} {}\n", to_string(finding.kind),
                          wrapped(finding.sentence, kIndentOfText, columns));
    } else if (count == kShownPerKind + 1) {
      text += fmt::format("  {:<14} ... and {} more: --all\n", to_string(finding.kind),
                          total[finding.kind] - kShownPerKind);
    }
  }
  return text == "Findings:\n" ? "" : text;
}

std::string run_line(const RunFacts& run) {
  std::string text;
  if (run.known_switches > 0) {
    text += fmt::format("Adaptive routing: on in {} of {}.", run.adaptive_switches,
                        counted(run.known_switches, "switch"));
  }
  if (run.counted_ports > 0) {
    text += fmt::format("{}Counters: of {}.", text.empty() ? "" : " ",
                        counted(run.counted_ports, "port"));
  }
  return text.empty() ? "" : text + "\n";
}

Json run_json(const RunFacts& run) {
  if (run.known_switches == 0 && run.counted_ports == 0) return nullptr;
  Json json;
  json["switches_told"] = run.known_switches;
  json["switches_adaptive"] = run.adaptive_switches;
  json["ports_counted"] = run.counted_ports;
  return json;
}

Json level_json(const ShowReport& report, const LevelCapacity& at) {
  Json json;
  json["level"] = at.level;
  json["name"] = level_name(report.known.levels, at.level);
  json["switches"] = at.switches;
  json["hosts"] = at.hosts;
  json["ports_down"] = at.down;
  json["ports_up"] = at.up;
  json["ports_side"] = at.side;
  json["ports_free"] = at.free;
  json["ports_internal"] = at.internal;
  if (report.capacity.by_rate) {
    json["down_gigabits_per_second"] = static_cast<double>(at.megabits_down) / 1000;
    json["up_gigabits_per_second"] = static_cast<double>(at.megabits_up) / 1000;
  }
  json["oversubscription"] = nullptr;
  if (at.megabits_up != 0) {
    add_fraction(json, "oversubscription", fraction(at.megabits_down, at.megabits_up));
  }
  return json;
}

Json bisection_json(const ShowReport& report) {
  const auto& cut = report.capacity.bisection;
  if (!cut) return nullptr;
  Json json;
  json["level"] = cut->level;
  add_fraction(json, "cables", fraction(cut->cables, 2));
  if (report.capacity.by_rate)
    json["gigabits_per_second"] = static_cast<double>(cut->megabits) / 1000;
  json["share"] = nullptr;
  if (cut->hosts_megabits != 0) {
    add_fraction(json, "share", fraction(cut->megabits, cut->hosts_megabits));
  }
  return json;
}

RunFacts run_facts(const RunData& run) {
  RunFacts facts;
  for (const AdaptiveSettings& settings : run.adaptive) {
    facts.known_switches += settings.known ? 1 : 0;
    facts.adaptive_switches += settings.known && settings.enabled ? 1 : 0;
  }
  for (const std::uint32_t row : run.counters.row) {
    facts.counted_ports += row == PortCounters::kNoRow ? 0 : 1;
  }
  return facts;
}

}  // namespace

ShowReport show_report(const Model& model, std::string format, std::vector<std::string> warnings,
                       const RunData& run) {
  return {std::move(format),   std::move(warnings),
          model.recognition(), capacity(model.fabric(), model.recognition().levels),
          run_facts(run),      model.hosts(),
          model.roles()};
}

std::vector<ReportedFinding> reported_findings(const Fabric& fabric, const ShowReport& report) {
  std::vector<ReportedFinding> all = reported_findings(fabric, report.known);
  for (const std::string& warning : report.warnings)
    all.push_back({FindingKind::kFile, warning, {}, {}});
  std::ranges::move(reported_findings(fabric, report.hosts), std::back_inserter(all));
  if (report.hosts.rails.planes > 1) {  // separate networks by design
    for (ReportedFinding& finding : all) {
      if (finding.kind == FindingKind::kParts) finding.severity = Severity::kNote;
    }
  }
  return all;
}

std::string show_text(const Fabric& fabric, const ShowReport& report, Detail detail,
                      std::size_t columns) {
  return head(fabric, report) + report.known.summary + "\n" + bisection_line(report) +
         run_line(report.run) + rails_text(fabric, report.hosts) +
         roles_text(fabric, report.hosts.hosts, report.roles) + "\n" + level_table(report) + "\n" +
         finding_list(reported_findings(fabric, report), detail, columns);
}

Json show_object(const Fabric& fabric, const ShowReport& report) {
  const Labels labels(fabric);
  Json json;
  json["switches"] = fabric.num_switches();
  json["adapters"] = fabric.num_adapters();
  json["terminals"] = fabric.num_terminals();
  json["links"] = fabric.num_cables();
  json["hosts"] = hosts_of(fabric, report);
  json["format"] = report.format;
  json["summary"] = report.known.summary;
  json["tree"] = report.known.levels.is_tree();
  const auto& map = report.known.map;
  json["shape"] = map ? Json(map->shape.to_string()) : Json();
  json["whole"] = map && map->complete();
  json["levels"] = Json::list(report.capacity.levels,
                              [&](const LevelCapacity& at) { return level_json(report, at); });
  json["bisection"] = bisection_json(report);
  json["run"] = run_json(report.run);
  const bool has_rails = !rails_text(fabric, report.hosts).empty();
  json["rails"] = has_rails ? rails_json(fabric, report.hosts) : Json();
  json["roles"] = roles_json(fabric, report.hosts.hosts, report.roles);
  json["oddities"] = Json::array();
  for (const ReportedFinding& finding : reported_findings(fabric, report)) {
    Json one;
    one["kind"] = to_string(finding.kind);
    one["severity"] = to_string(finding.severity);
    one["text"] = finding.sentence;
    one["cost_hosts"] = finding.cost;
    one["ports"] = Json::array();
    for (const Channel c : finding.ports) one["ports"].push_back(labels.port(c));
    one["nodes"] = Json::array();
    for (const Node node : finding.nodes) one["nodes"].push_back(labels(node));
    json["oddities"].push_back(std::move(one));
  }
  return json;
}

std::string show_json(const Fabric& fabric, const ShowReport& report) {
  return document(show_object(fabric, report));
}

}  // namespace fatwood
