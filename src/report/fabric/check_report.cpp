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

std::size_t count_of(const CheckReport& report, Severity severity) {
  return static_cast<std::size_t>(
      std::ranges::count(report.findings, severity, &ReportedFinding::severity));
}

// "22 missing-cable, 2 slow-cable"
std::string kinds_of(const CheckReport& report, Severity severity) {
  std::vector<std::pair<FindingKind, std::size_t>> kinds;
  for (const ReportedFinding& finding : report.findings) {
    if (finding.severity != severity) continue;
    const auto at =
        std::ranges::find(kinds, finding.kind, &std::pair<FindingKind, std::size_t>::first);
    if (at == kinds.end()) {
      kinds.emplace_back(finding.kind, 1);
    } else {
      ++at->second;
    }
  }
  std::string text;
  for (const auto& [kind, count] : kinds) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_string(kind));
  }
  return text;
}

CheckLine cabling_line(const CheckReport& report) {
  const std::size_t bad = count_of(report, Severity::kBad);
  const std::size_t warn = count_of(report, Severity::kWarn);
  CheckLine line{.topic = "cabling", .health = report.cabling(), .text = "", .rows = {}};
  line.text = bad + warn == 0 ? "nothing to repair"
                              : fmt::format("{} bad, {}", bad, counted(warn, "warning"));
  std::map<FindingKind, std::size_t> shown;
  for (const ReportedFinding& finding : report.findings) {
    if (finding.severity == Severity::kNote || line.rows.size() == kFindingRows) break;
    if (++shown[finding.kind] > kExamples) continue;
    line.rows.push_back({std::string(to_string(finding.kind)), finding.sentence, finding.severity});
  }
  if (line.rows.size() < bad + warn) {
    for (const Severity severity : {Severity::kBad, Severity::kWarn}) {
      const std::string kinds = kinds_of(report, severity);
      if (kinds.empty()) continue;
      line.rows.push_back({severity == Severity::kBad ? "all bad" : "all warnings", kinds, {}});
    }
  }
  const std::string notes = kinds_of(report, Severity::kNote);
  const std::string intended = notes + " (most likely intended)";
  if (!notes.empty()) line.rows.push_back({"notes", intended, Severity::kNote});
  return line;
}

std::string fix_of(const CheckReport& report) {
  const Verdict& verdict = report.result.verdict;
  if (report.safe_with()) return "";
  const std::uint64_t disconnected = verdict.reachability.disconnected.total();
  if (verdict.deadlock.free() && verdict.reachability.loops == 0 &&
      verdict.reachability.unreachable.total() == disconnected && disconnected > 0) {
    return "cables: no routing can connect these components";
  }
  if (report.safety_unknown()) return "complete tables: entries of some switches are unknown";
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

CheckLine safety_line(const CheckReport& report) {
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
  CheckLine line{.topic = "safety", .health = {}, .text = "", .rows = {}};
  if (safe ? report.given() : !report.safety_unknown()) {
    line.health = safe ? Health::kOk : Health::kBad;
  }
  line.text = fmt::format("{}{}: {}", report.given() ? "" : "no tables given; with ",
                          routing_word(report), fmt::join(parts, ", "));
  if (const QuickEngine& quick = result.quick; !quick.instead_of.empty()) {
    line.rows.push_back(
        {"engine",
         fmt::format("{0} instead of {1}, which is recommended but would take too long for "
                     "a check: fatwood check {2} {1}",
                     quick.name, quick.instead_of, report.name),
         {}});
  }
  const std::string fix = fix_of(report);
  if (!fix.empty()) line.rows.push_back({"fix", fix, {}});
  return line;
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

CheckLine speed_line(const CheckReport& report) {
  const CheckResult& result = report.result;
  CheckLine line{.topic = "speed", .health = {}, .text = "", .rows = {}};
  if (!result.speed || result.speed->rates.pairs == 0) {
    line.text = fmt::format("not computed: {}",
                            result.speed ? "no pair of hosts has a route" : "fewer than two hosts");
    return line;
  }
  const BottleneckRates& rates = result.speed->rates;
  const Participants& who = result.speed->who;
  const std::string ports =
      rates.port == 1 ? ""
                      : fmt::format(", all ports of an adapter {}", speed_word(report, rates.port));
  line.health = result.speed_health();
  line.text = fmt::format("{}all to all, {}: {} or more each, median {} (port {}{})",
                          report.given() ? "" : fmt::format("with {}, ", routing_word(report)),
                          who.among == "all" ? counted(rates.adapters, "host") : describe(who),
                          speed_word(report, rates.worst), speed_word(report, rates.median),
                          speed_word(report, 1), ports);
  if (rates.unreachable > 0) {
    const std::string pairs = fmt::format("{} pairs without a known route", rates.unreachable);
    line.rows.push_back({"not counted", pairs, {}});
  }
  const std::string limit = limit_name(report);
  if (limit.empty()) {
    line.rows.push_back({"limited by", "the ports of hosts", {}});
    return line;
  }
  const Bottleneck& first = result.speed->bottlenecks.front();
  const std::string possible =
      first.best_possible > 0
          ? fmt::format("at most {} possible", speed_word(report, first.best_possible))
          : "no bound known (not a tree): compare engines";
  line.rows.push_back({"limited by", limit + "; " + possible, {}});
  return line;
}

// What jobs get, and the order of hosts unless it is the usual one.
CheckLine jobs_line(const CheckReport& report) {
  const JobEfficiency& jobs = *report.result.jobs;
  CheckLine line{.topic = "jobs", .health = {}, .text = jobs_sentence(jobs), .rows = {}};
  line.is_sentence = true;
  if (jobs.order != GivenOrder{}.source) {
    line.text += fmt::format(" (hosts in {})", order_text(jobs));
  }
  return line;
}

std::string check_row_text(const CheckRow& row, Colour colour, std::size_t columns) {
  const std::string word = fmt::format("{:<14}", row.word);
  const std::string text = wrapped(row.text, kIndent, columns);
  if (row.severity == Severity::kNote) {
    return painted(colour, Hue::kFaint, fmt::format("  {} {}", word, text)) + "\n";
  }
  return fmt::format("  {} {}\n",
                     row.severity ? painted(colour, hue_of(*row.severity), word) : word, text);
}

std::string check_line_text(const CheckLine& line, Colour colour, std::size_t columns) {
  if (line.is_sentence) {
    return painted(colour, Hue::kBold, line.topic + ":") + " " + wrapped(line.text, 6, columns) +
           "\n";
  }
  const std::string health = fmt::format("{:<8}", health_word(line));
  std::string text = painted(colour, Hue::kBold, fmt::format("{:<8}", line.topic)) +
                     (line.health ? painted(colour, hue_of(*line.health), health) : health) +
                     wrapped(line.text, kHeading, columns) + "\n";
  for (const CheckRow& row : line.rows) text += check_row_text(row, colour, columns);
  return text;
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
  if (!report.safe_with() && !report.safety_unknown() && !own) {
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
    const std::string opensm = fmt::format(" {} --out-opensm tables", routing);
    next.push_back(command("route", result.ethernet ? " ecmp --out-frr config" : opensm));
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
    return finding.kind == FindingKind::kParts && finding.severity != Severity::kNote;
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

std::vector<CheckLine> check_lines(const CheckReport& report) {
  std::vector<CheckLine> lines{cabling_line(report), safety_line(report), speed_line(report)};
  if (report.result.jobs) lines.push_back(jobs_line(report));
  return lines;
}

std::string_view health_word(const CheckLine& line) {
  constexpr std::string_view kWords[] = {"OK", "WARNING", "BAD"};
  if (line.is_sentence) return "";
  return line.health ? kWords[static_cast<std::size_t>(*line.health)] : "-";
}

std::string check_text(const CheckReport& report, Colour colour, std::size_t columns) {
  std::string text = wrapped(report.summary, 0, columns) + "\n\n";
  for (const CheckLine& line : check_lines(report)) text += check_line_text(line, colour, columns);
  text += "\n" + painted(colour, Hue::kBold, "next") + "\n";
  for (const std::string& command : next_commands(report)) text += "  " + command + "\n";
  return text;
}

Json check_object(const CheckReport& report) {
  const Verdict& verdict = report.result.verdict;
  const std::string fix = fix_of(report);
  const Json safe = report.safety_unknown() ? Json() : Json(report.safe_with());
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
            {"unknown", verdict.reachability.unknown.total()},
            {"lost_between_hosts", report.result.hosts_lost},
            {"loops", verdict.reachability.loops},
            {"deadlock_free", verdict.deadlock.free()},
            {"lanes", verdict.deadlock.lanes.size()},
            {"fix", text_or_null(fix)},
            {"next", next_commands(report)}};
  for (const ReportedFinding& finding : report.findings) {
    json["findings"].push_back({{"severity", to_string(finding.severity)},
                                {"kind", to_string(finding.kind)},
                                {"text", finding.sentence},
                                {"cost_hosts", finding.cost}});
  }
  return json;
}

}  // namespace fatwood
