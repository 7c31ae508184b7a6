// SPDX-License-Identifier: BSD-3-Clause
#include "report/fabric/check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "report/load/among_report.hpp"
#include "routing/engine.hpp"
#include "topology/channel_speeds.hpp"
#include "topology/labels.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kExamples = 3;   // of a kind of finding
constexpr std::size_t kRows = 10;      // of findings
constexpr std::size_t kColumns = 100;  // of a line

Hue hue_of(Health health) {
  return health == Health::kBad ? Hue::kRed : health == Health::kWarn ? Hue::kYellow : Hue::kGreen;
}
Hue hue_of(Severity severity) {
  return severity == Severity::kBad    ? Hue::kRed
         : severity == Severity::kWarn ? Hue::kYellow
                                       : Hue::kFaint;
}

std::string heading(std::string_view word, Health health, Colour colour) {
  constexpr std::string_view kWords[] = {"OK", "WARNING", "BAD"};
  return painted(colour, Hue::kBold, fmt::format("{:<8}", word)) +
         painted(colour, hue_of(health),
                 fmt::format("{:<8}", kWords[static_cast<std::size_t>(health)]));
}

// Cut between two characters of UTF-8.
std::string shortened(std::string_view text, std::size_t columns) {
  if (text.size() <= columns) return std::string(text);
  std::size_t end = columns - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "...";
}

std::size_t count_of(const CheckReport& report, Severity severity) {
  return static_cast<std::size_t>(
      std::ranges::count(report.findings, severity, &ReportedFinding::severity));
}

// "22 missing-cable, 2 slow-cable"
std::string kinds_of(const CheckReport& report, Severity severity) {
  std::vector<std::pair<std::string_view, std::size_t>> kinds;
  for (const ReportedFinding& finding : report.findings) {
    if (finding.severity != severity) continue;
    const auto at =
        std::ranges::find(kinds, finding.kind, &std::pair<std::string_view, std::size_t>::first);
    if (at == kinds.end()) {
      kinds.emplace_back(finding.kind, 1);
    } else {
      ++at->second;
    }
  }
  std::string text;
  for (const auto& [kind, count] : kinds) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, kind);
  }
  return text;
}

std::string cabling_text(const CheckReport& report, Colour colour) {
  const std::size_t bad = count_of(report, Severity::kBad);
  const std::size_t warn = count_of(report, Severity::kWarn);
  std::string text = heading("cabling", report.cabling(), colour);
  text += bad + warn == 0 ? "nothing to repair\n"
                          : fmt::format("{} bad, {}\n", bad, counted(warn, "warning"));
  std::map<std::string_view, std::size_t> shown;
  std::size_t rows = 0;
  for (const ReportedFinding& finding : report.findings) {
    if (finding.severity == Severity::kNote || rows == kRows) break;
    if (++shown[finding.kind] > kExamples) continue;
    ++rows;
    const std::string kind = fmt::format("{:<14}", finding.kind);
    text += fmt::format("  {} {}\n", painted(colour, hue_of(finding.severity), kind),
                        shortened(finding.sentence, kColumns - 17));
  }
  if (rows < bad + warn) {
    for (const Severity severity : {Severity::kBad, Severity::kWarn}) {
      const std::string kinds = kinds_of(report, severity);
      if (kinds.empty()) continue;
      text += fmt::format("  {:<14} {}\n", severity == Severity::kBad ? "all bad" : "all warnings",
                          kinds);
    }
  }
  const std::string notes = kinds_of(report, Severity::kNote);
  if (!notes.empty()) {
    text += painted(colour, Hue::kFaint,
                    fmt::format("  {:<14} {} (most likely intended)", "notes", notes)) +
            "\n";
  }
  return text;
}

std::string fix_of(const CheckReport& report) {
  const Verdict& verdict = report.result.verdict;
  if (report.safe()) return "";
  const std::uint64_t disconnected = verdict.reachability.disconnected.total();
  if (verdict.deadlock.free() && verdict.reachability.loops == 0 &&
      verdict.reachability.unreachable.total() == disconnected && disconnected > 0) {
    return "cables: no routing can connect these components";
  }
  if (verdict.reachability.unknown.total() > 0 && !verdict.fails_surely()) {
    return "complete tables: entries of some switches are unknown";
  }
  return fmt::format("new tables: engine {} has a route for every pair and no deadlock",
                     report.result.engine);
}

std::string safety_text(const CheckReport& report, Colour colour) {
  const CheckResult& result = report.result;
  const Verdict& verdict = result.verdict;
  std::string text = heading("safety", report.safe() ? Health::kOk : Health::kBad, colour);
  std::vector<std::string> parts;
  const Reachability& found = verdict.reachability;
  if (found.whole()) {
    parts.push_back("every pair has a route");
  } else if (result.safe_where_connected() && report.safe()) {
    parts.push_back("every pair that cables connect has a route");
  } else {
    if (found.unreachable.total() > 0) {
      parts.push_back(fmt::format("{} of {} pairs have no route", found.unreachable.total(),
                                  found.pairs.total()));
    }
    if (found.unknown.total() > 0) {
      parts.push_back(fmt::format("{} pairs unknown", found.unknown.total()));
    }
    if (found.loops > 0) parts.push_back(counted(found.loops, "forwarding loop"));
  }
  const std::size_t lanes = verdict.deadlock.lanes.size();
  const std::size_t cyclic = verdict.deadlock.cyclic_lane();
  parts.push_back(verdict.deadlock.free()
                      ? fmt::format("no deadlock ({})", counted(lanes, "VL"))
                      : fmt::format("packets can deadlock (a cycle of {} channels)",
                                    verdict.deadlock.lanes[cyclic].cycle.size()));
  const bool quick = report.routing.empty() && result.routing == "even";
  text += fmt::format("{}{}: {}\n", result.routing, quick ? " --effort quick" : "",
                      fmt::join(parts, ", "));
  const std::string fix = fix_of(report);
  if (!fix.empty()) text += fmt::format("  {:<14} {}\n", "fix", fix);
  return text;
}

double gigabits_of(const CheckReport& report, const Fraction& rate) {
  return rate.value() * ChannelSpeeds(report.fabric).usual_gigabits();
}

// "187 Gb/s", or the share of a port where no speed is known.
std::string speed_word(const CheckReport& report, const Fraction& rate) {
  const double gigabits = gigabits_of(report, rate);
  return gigabits == 0 ? fmt::format("{:.3f} of a port", rate.value())
                       : fmt::format("{:.4g} Gb/s", gigabits);
}

std::string limit_name(const CheckReport& report) {
  const PairFigures& speed = *report.result.speed;
  if (speed.bottlenecks.empty() || speed.bottlenecks.front().rate > speed.rates.worst) return "";
  const Bottleneck& first = speed.bottlenecks.front();
  if (first.cut == Bottleneck::kNoCut) return port_name(report.fabric, first.links.front());
  return cut_name(report.fabric, speed.evenness.cuts[speed.evenness.loads[first.cut].share.cut]);
}

std::string speed_text(const CheckReport& report, Colour colour) {
  const CheckResult& result = report.result;
  if (!result.speed || result.speed->rates.pairs == 0) {
    return painted(colour, Hue::kBold, fmt::format("{:<8}", "speed")) +
           fmt::format("{:<8}not computed: {}\n", "-",
                       result.speed ? "no pair of hosts has a route" : "fewer than two hosts");
  }
  std::string text = heading("speed", result.speed_health(), colour);
  const BottleneckRates& rates = result.speed->rates;
  const Participants& who = result.speed->who;
  text += fmt::format("all to all, {}: {} or more each, median {} (port {})\n",
                      who.among == "all" ? counted(rates.adapters, "host") : describe(who),
                      speed_word(report, rates.worst), speed_word(report, rates.median),
                      speed_word(report, rates.port));
  if (result.verdict.reachability.lost().terminal_terminal > 0) {
    text += fmt::format("  {:<14} {} pairs of hosts without a route\n", "not counted",
                        result.verdict.reachability.lost().terminal_terminal);
  }
  const std::string limit = limit_name(report);
  if (limit.empty()) return text + fmt::format("  {:<14} the ports of hosts\n", "limited by");
  const Bottleneck& first = result.speed->bottlenecks.front();
  text += fmt::format("  {:<14} {}", "limited by", shortened(limit, kColumns - 40));
  text += first.best_possible > 0
              ? fmt::format("; at most {} possible", speed_word(report, first.best_possible))
              : "; no bound known (no tree): compare engines";
  return text + "\n";
}

std::vector<std::string> next_commands(const CheckReport& report) {
  const CheckResult& result = report.result;
  const std::string routing = report.routing.empty() ? result.engine : report.routing;
  const bool own = report.routing.empty() || report.routing == result.engine;
  const auto command = [&](std::string_view verb, std::string_view rest) {
    return fmt::format("fatwood {} {}{}", verb, report.name, rest);
  };
  std::vector<std::string> next;
  if (!report.safe()) next.push_back(command("verify", " " + routing));
  if (!report.safe() && !own) {
    next.push_back(command("route", fmt::format(" {} -o new.lft", result.engine)));
    if (!is_engine(routing)) {
      next.push_back(command("transition", fmt::format(" {} new.lft -o rounds", routing)));
    }
  }
  if (report.cabling() != Health::kOk) {
    next.push_back(command("show", " --all"));
    next.push_back(command("whatif", " " + routing));
  }
  if (result.speed_health() != Health::kOk) {
    next.push_back(command("load", fmt::format(" {} --traffic alltoall", routing)));
    if (!own || !result.speed->of_possible()) next.push_back(command("compare", ""));
  }
  if (report.safe() && report.routing.empty()) {
    next.push_back(command("route", fmt::format(" {} --out-opensm tables", routing)));
  }
  next.push_back(command("report", " -o page.html"));
  return next;
}

Json speed_json(const CheckReport& report) {
  if (!report.result.speed) return nullptr;
  const PairFigures& speed = *report.result.speed;
  if (speed.rates.pairs == 0) return nullptr;
  const auto gbps = [&](const Fraction& rate) {
    const double value = gigabits_of(report, rate);
    return value == 0 ? Json() : Json(value);
  };
  const std::string limit = limit_name(report);
  const std::optional<double> possible = speed.of_possible();
  return {{"worst_gbps", gbps(speed.rates.worst)},
          {"p1_gbps", gbps(speed.rates.p1)},
          {"median_gbps", gbps(speed.rates.median)},
          {"port_gbps", gbps(speed.rates.port)},
          {"of_port", (speed.rates.worst / speed.rates.port).value()},
          {"of_possible", possible},
          {"hosts", speed.rates.adapters},
          {"among", among_json(speed.who)},
          {"health", to_string(report.result.speed_health())},
          {"limited_by", text_or_null(limit)}};
}

}  // namespace

Health CheckReport::cabling() const {
  if (count_of(*this, Severity::kBad) > 0) return Health::kBad;
  return count_of(*this, Severity::kWarn) > 0 ? Health::kWarn : Health::kOk;
}

bool CheckReport::safe() const {
  // Separate components are the finding "parts", a note where they are most likely intended.
  const auto is_fault = [](const ReportedFinding& finding) {
    return finding.kind == "parts" && finding.severity != Severity::kNote;
  };
  return result.safe() ||
         (result.safe_where_connected() && std::ranges::none_of(findings, is_fault));
}

bool CheckReport::bad() const {
  return cabling() == Health::kBad || !safe() || result.speed_health() == Health::kBad;
}

CheckReport report_check(const Fabric& fabric, const ShowReport& shown, CheckResult result,
                         std::string name, std::string routing) {
  CheckReport report{.fabric = fabric,
                     .name = std::move(name),
                     .routing = std::move(routing),
                     .summary = shown.known.summary,
                     .result = std::move(result),
                     .findings = reported_findings(fabric, shown)};
  std::ranges::stable_sort(report.findings, {}, [](const ReportedFinding& finding) {
    return std::tuple(finding.severity, -finding.cost);
  });
  return report;
}

std::string check_text(const CheckReport& report, Colour colour) {
  std::string text = shortened(report.summary, 2 * kColumns) + "\n\n" +
                     cabling_text(report, colour) + safety_text(report, colour) +
                     speed_text(report, colour) + "\n" + painted(colour, Hue::kBold, "next") + "\n";
  for (const std::string& command : next_commands(report)) text += "  " + command + "\n";
  return text;
}

Json check_object(const CheckReport& report) {
  const Verdict& verdict = report.result.verdict;
  const std::string fix = fix_of(report);
  Json json{{"cabling", to_string(report.cabling())},
            {"safe", report.safe()},
            {"speed", speed_json(report)},
            {"findings", Json::array()},
            {"totals",
             {{"bad", count_of(report, Severity::kBad)},
              {"warn", count_of(report, Severity::kWarn)},
              {"note", count_of(report, Severity::kNote)}}},
            {"routing", report.result.routing},
            {"unreachable", verdict.reachability.unreachable.total()},
            {"loops", verdict.reachability.loops},
            {"deadlock_free", verdict.deadlock.free()},
            {"lanes", verdict.deadlock.lanes.size()},
            {"fix", text_or_null(fix)},
            {"next", next_commands(report)}};
  for (const ReportedFinding& finding : report.findings) {
    json["findings"].push_back({{"severity", to_string(finding.severity)},
                                {"kind", finding.kind},
                                {"text", finding.sentence},
                                {"cost_hosts", finding.cost}});
  }
  return json;
}

}  // namespace fatwood
