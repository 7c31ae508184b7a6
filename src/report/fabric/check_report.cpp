// SPDX-License-Identifier: BSD-3-Clause
#include "report/fabric/check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "core/text/wrap.hpp"
#include "report/load/among_report.hpp"
#include "report/load/jobs_report.hpp"
#include "routing/engine.hpp"
#include "topology/channel_speeds.hpp"
#include "topology/labels.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kExamples = 3;      // of a kind of finding
constexpr std::size_t kFindingRows = 10;  // of findings
constexpr std::size_t kIndent = 17;       // of what follows the word of a line
constexpr std::size_t kHeading = 16;      // of what follows a heading

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
// Of a question that was not answered.
std::string heading(std::string_view word, Colour colour) {
  return painted(colour, Hue::kBold, fmt::format("{:<8}", word)) + fmt::format("{:<8}", "-");
}

// "  limited by     LG24-05 ...", in as many lines as it takes.
std::string row(std::string_view word, std::string_view text, std::size_t columns) {
  return fmt::format("  {:<14} {}\n", word, wrapped(text, kIndent, columns));
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

std::string cabling_text(const CheckReport& report, Colour colour, std::size_t columns) {
  const std::size_t bad = count_of(report, Severity::kBad);
  const std::size_t warn = count_of(report, Severity::kWarn);
  std::string text = heading("cabling", report.cabling(), colour);
  text += bad + warn == 0 ? "nothing to repair\n"
                          : fmt::format("{} bad, {}\n", bad, counted(warn, "warning"));
  std::map<std::string_view, std::size_t> shown;
  std::size_t rows = 0;
  for (const ReportedFinding& finding : report.findings) {
    if (finding.severity == Severity::kNote || rows == kFindingRows) break;
    if (++shown[finding.kind] > kExamples) continue;
    ++rows;
    const std::string kind = fmt::format("{:<14}", finding.kind);
    text += fmt::format("  {} {}\n", painted(colour, hue_of(finding.severity), kind),
                        wrapped(finding.sentence, kIndent, columns));
  }
  if (rows < bad + warn) {
    for (const Severity severity : {Severity::kBad, Severity::kWarn}) {
      const std::string kinds = kinds_of(report, severity);
      if (kinds.empty()) continue;
      text += row(severity == Severity::kBad ? "all bad" : "all warnings", kinds, columns);
    }
  }
  const std::string notes = kinds_of(report, Severity::kNote);
  if (!notes.empty()) {
    std::string line = row("notes", notes + " (most likely intended)", columns);
    line.pop_back();
    text += painted(colour, Hue::kFaint, line) + "\n";
  }
  return text;
}

std::string fix_of(const CheckReport& report) {
  const Verdict& verdict = report.result.verdict;
  if (report.safe_with()) return "";
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

// "even --effort quick"
std::string routing_word(const CheckReport& report) {
  const bool quick = !report.given() && report.result.routing == "even";
  return report.result.routing + (quick ? " --effort quick" : "");
}

// "816300 of 25065042 pairs have no route, none between hosts"
std::string lost_text(const CheckResult& result) {
  const Reachability& found = result.verdict.reachability;
  std::string text =
      fmt::format("{} of {} pairs have no route", found.unreachable.total(), found.pairs.total());
  if (found.lost().total() == 0 || !result.hosts_lost) return text;
  return text + (*result.hosts_lost == 0 ? std::string(", none between hosts")
                                         : fmt::format(", {} between hosts", *result.hosts_lost));
}

std::string safety_text(const CheckReport& report, Colour colour, std::size_t columns) {
  const CheckResult& result = report.result;
  const Verdict& verdict = result.verdict;
  const bool safe = report.safe_with();
  std::vector<std::string> parts;
  const Reachability& found = verdict.reachability;
  if (found.whole()) {
    parts.push_back("every pair has a route");
  } else if (result.safe_where_connected() && safe) {
    parts.push_back("every pair that cables connect has a route");
  } else {
    if (found.unreachable.total() > 0) parts.push_back(lost_text(result));
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
  const std::string proved = fmt::format("{}{}: {}", report.given() ? "" : "no tables given; with ",
                                         routing_word(report), fmt::join(parts, ", "));
  std::string text = !safe            ? heading("safety", Health::kBad, colour)
                     : report.given() ? heading("safety", Health::kOk, colour)
                                      : heading("safety", colour);
  text += wrapped(proved, kHeading, columns) + "\n";
  if (const QuickEngine& quick = result.quick; !quick.instead_of.empty()) {
    text += row("engine",
                fmt::format("{0} instead of {1}, which is recommended but would take too long for "
                            "a check: fatwood check {2} {1}",
                            quick.name, quick.instead_of, report.name),
                columns);
  }
  const std::string fix = fix_of(report);
  return fix.empty() ? text : text + row("fix", fix, columns);
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

std::string speed_text(const CheckReport& report, Colour colour, std::size_t columns) {
  const CheckResult& result = report.result;
  if (!result.speed || result.speed->rates.pairs == 0) {
    return heading("speed", colour) +
           fmt::format("not computed: {}\n",
                       result.speed ? "no pair of hosts has a route" : "fewer than two hosts");
  }
  const BottleneckRates& rates = result.speed->rates;
  const Participants& who = result.speed->who;
  const std::string ports =
      rates.port == 1 ? ""
                      : fmt::format(", all ports of an adapter {}", speed_word(report, rates.port));
  const std::string speed =
      fmt::format("{}all to all, {}: {} or more each, median {} (port {}{})",
                  report.given() ? "" : fmt::format("with {}, ", routing_word(report)),
                  who.among == "all" ? counted(rates.adapters, "host") : describe(who),
                  speed_word(report, rates.worst), speed_word(report, rates.median),
                  speed_word(report, 1), ports);
  std::string text =
      heading("speed", result.speed_health(), colour) + wrapped(speed, kHeading, columns) + "\n";
  if (rates.unreachable > 0) {
    text += row("not counted", fmt::format("{} pairs of these without a route", rates.unreachable),
                columns);
  }
  const std::string limit = limit_name(report);
  if (limit.empty()) return text + row("limited by", "the ports of hosts", columns);
  const Bottleneck& first = result.speed->bottlenecks.front();
  const std::string possible =
      first.best_possible > 0
          ? fmt::format("at most {} possible", speed_word(report, first.best_possible))
          : "no bound known (not a tree): compare engines";
  return text + row("limited by", limit + "; " + possible, columns);
}

// What jobs get, and the order of hosts unless it is the usual one.
std::string jobs_line(const CheckReport& report, Colour colour, std::size_t columns) {
  const auto& jobs = report.result.jobs;
  if (!jobs) return "";
  std::string text = jobs_sentence(*jobs);
  if (jobs->order != GivenOrder{}.source) text += fmt::format(" (hosts in {})", order_text(*jobs));
  return painted(colour, Hue::kBold, "jobs:") + " " + wrapped(text, 6, columns) + "\n";
}

std::vector<std::string> next_commands(const CheckReport& report) {
  const CheckResult& result = report.result;
  const std::string routing = report.given() ? report.tables.word : result.engine;
  const bool files = report.given() && report.tables.files;
  const bool own = !report.given() || report.tables.word == result.engine;
  const auto command = [&](std::string_view verb, std::string_view rest) {
    return fmt::format("fatwood {} {}{}", verb, report.name, rest);
  };
  const std::string lmc = result.lmc == 0 ? "" : fmt::format(" --lmc {}", result.lmc);
  const std::string tables = files ? fmt::format(" {}{}", routing, report.tables.lanes) : "";
  std::vector<std::string> next;
  if (!report.safe_with()) {
    next.push_back(command("verify", fmt::format(" {}{}", routing, report.tables.lanes)));
  }
  if (!report.safe_with() && !own) {
    next.push_back(command("route", fmt::format(" {}{} -o new.lft", result.engine, lmc)));
    if (files && !result.adaptive) {
      next.push_back(command("transition", fmt::format(" {} new.lft -o rounds", routing)));
    }
  }
  if (report.cabling() != Health::kOk) {
    next.push_back(command("show", " --all"));
    if (result.can_lose) next.push_back(command("whatif", " " + routing));
  }
  if (result.speed_health() != Health::kOk) {
    next.push_back(command("load", fmt::format(" {} --traffic alltoall", routing)));
    if (!own || !result.speed->of_possible()) next.push_back(command("compare", tables));
  }
  if (!report.given() && report.safe_with()) {
    next.push_back(command("route", fmt::format(" {} --out-opensm tables", routing)));
  }
  next.push_back(command("report", (files ? " --tables" + tables : "") + " -o page.html"));
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
          {"port_gbps", gbps(1)},
          {"adapter_gbps", gbps(speed.rates.port)},
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

bool CheckReport::safe_with() const {
  // Separate components are the finding "parts", a note where they are most likely intended.
  const auto is_fault = [](const ReportedFinding& finding) {
    return finding.kind == "parts" && finding.severity != Severity::kNote;
  };
  return result.safe() ||
         (result.safe_where_connected() && std::ranges::none_of(findings, is_fault));
}

bool CheckReport::bad() const {
  return cabling() == Health::kBad || !safe_with() || result.speed_health() == Health::kBad;
}

CheckReport report_check(const Model& model, const ShowReport& shown, CheckResult result,
                         std::string name, CheckedTables tables,
                         std::vector<ReportedFinding> further) {
  CheckReport report{.model = model,
                     .fabric = model.fabric(),
                     .name = std::move(name),
                     .tables = std::move(tables),
                     .summary = shown.known.summary,
                     .result = std::move(result),
                     .findings = reported_findings(model.fabric(), shown)};
  std::ranges::move(further, std::back_inserter(report.findings));
  std::ranges::stable_sort(report.findings, {}, [](const ReportedFinding& finding) {
    return std::tuple(finding.severity, -finding.cost);
  });
  return report;
}

std::string check_text(const CheckReport& report, Colour colour, std::size_t columns) {
  std::string text = wrapped(report.summary, 0, columns) + "\n\n" +
                     cabling_text(report, colour, columns) + safety_text(report, colour, columns) +
                     speed_text(report, colour, columns) + jobs_line(report, colour, columns) +
                     "\n" + painted(colour, Hue::kBold, "next") + "\n";
  for (const std::string& command : next_commands(report)) text += "  " + command + "\n";
  return text;
}

Json check_object(const CheckReport& report) {
  const Verdict& verdict = report.result.verdict;
  const std::string fix = fix_of(report);
  const Json safe = report.safe_with();
  Json json{{"cabling", to_string(report.cabling())},
            {"tables", report.given() ? "given" : "none"},
            {"safe", report.given() ? safe : Json()},
            {"with",
             report.given()
                 ? Json()
                 : Json{{"engine", report.result.routing},
                        {"safe", safe},
                        {"instead_of", text_or_null(std::string(report.result.quick.instead_of))}}},
            {"speed", speed_json(report)},
            {"jobs", jobs_json(report.model, report.result.jobs)},
            {"findings", Json::array()},
            {"totals",
             {{"bad", count_of(report, Severity::kBad)},
              {"warn", count_of(report, Severity::kWarn)},
              {"note", count_of(report, Severity::kNote)}}},
            {"routing", report.result.routing},
            {"unreachable", verdict.reachability.unreachable.total()},
            {"lost_between_hosts", report.result.hosts_lost},
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
