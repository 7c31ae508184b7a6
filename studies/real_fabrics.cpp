// SPDX-License-Identifier: BSD-3-Clause
// Ours: engines on fabrics as they are. Fabrics are those given (files of real machines, which are
// not shipped); without any, the two that [Bogdanski12] draws after real ones.

#include <fmt/format.h>

#include <map>

#include "core/error.hpp"
#include "io/fabric/load_fabric.hpp"
#include "routing/tables/fingerprint.hpp"
#include "studies/study.hpp"
#include "tasks/compare.hpp"

namespace fatwood {

namespace {

// "selene/fabric.txt" of a long path: files of real machines have names that repeat.
std::string short_name(const std::string& path) {
  const std::size_t last = path.find_last_of('/');
  if (last == std::string::npos || last == 0) return path;
  const std::size_t before = path.find_last_of('/', last - 1);
  return before == std::string::npos ? path : path.substr(before + 1);
}

// "" in a text: the engine routes it. Numbers of all engines of a fabric in one point, for their
// engines share nothing but the fabric.
StudyPoint compare_on(const std::string& name, const StudyContext& context) {
  const Fabric fabric = load_fabric(name).fabric;
  RouteOptions options{.seed = context.seed, .threads = context.threads};
  options.max_lanes = 15;
  StudyPoint point;
  const CompareOptions all{
      .route = options, .slow = SlowEngines::kAlways, .shifts = CountShifts::kYes};
  for (const EngineRow& row : compare(Model(fabric), all).rows) {
    point.texts[row.name] = row.refused;
    if (!row.result) continue;
    const EngineResult& result = *row.result;
    const auto put = [&](const char* what, double value) {
      point.numbers[fmt::format("{} {}", row.name, what)] = value;
    };
    put("largest", result.flows.largest.value());
    put("free", result.deadlock_free ? 1 : 0);
    put("lanes", static_cast<double>(result.lanes));
    put("unreachable", static_cast<double>(result.reachability.unreachable.total()));
    put("conflicts", static_cast<double>(result.shift ? result.shift->conflicts : 0));
    put("hops", result.hops.terminals.mean());
    put("seconds", result.seconds);
  }
  return point;
}

}  // namespace

StudyResult run_real_fabrics(const StudyContext& context) {
  std::vector<std::string> fabrics = context.fabrics;
  if (fabrics.empty()) fabrics = {"switch648+racks", "juropa"};
  std::vector<PointTask> tasks;
  for (const std::string& fabric : fabrics) {
    // The fabric's own mark: a file of the same name may have changed since.
    const std::uint64_t mark = fingerprint(load_fabric(fabric).fabric);
    tasks.push_back({fmt::format("{} {:016x} seed {}", fabric, mark, context.seed),
                     [&] { return compare_on(fabric, context); }});
  }
  const std::vector<StudyPoint> points = measure(context, tasks);
  StudyResult result{
      .label_names = {"fabric", "engine"},
      .ours_name = "flows, fullest channel",
      .more_names = {"deadlock", "lanes", "pairs lost", "shift conflicts", "hops", "route s"}};
  std::size_t whole = 0;    // fabrics where sftree keeps all: every pair, one lane, no deadlock
  std::size_t evenest = 0;  // and none that does has fewer flows on its fullest channel
  std::string others;
  for (std::size_t i = 0; i < fabrics.size(); ++i) {
    const StudyPoint& point = points[i];
    std::string best;
    double least = 1e300;
    bool sftree = false;
    const std::string label = short_name(fabrics[i]);
    double seconds = point.seconds;
    PlotPanel panel{.title = label,
                    .x_label = "flows on the fullest channel, all to all",
                    .x_scale = Scale::kLog,
                    .bars = {}};
    for (const auto& [engine, refused] : point.texts) {
      if (!refused.empty()) {
        result.rows.push_back({.labels = {label, engine},
                               .ours = "refuses",
                               .more = std::vector<StudyValue>(6),
                               .seconds = seconds});
        seconds = 0;
        continue;
      }
      const auto number = [&](const char* what) {
        return point.number(fmt::format("{} {}", engine, what));
      };
      const bool all = number("free") == 1 && number("lanes") == 1 && number("unreachable") == 0;
      if (engine == "sftree") sftree = all;
      if (all && number("largest") < least) {
        least = number("largest");
        best = engine;
      }
      result.rows.push_back(
          {.labels = {label, engine},
           .ours = number("largest"),
           .more = {number("free") == 1 ? "free" : "cycle", number("lanes"), number("unreachable"),
                    number("conflicts"), number("hops"), number("seconds")},
           .seconds = seconds});
      seconds = 0;
      const char* mark = number("unreachable") > 0 ? " (pairs lost)"
                         : number("free") == 1     ? ""
                                                   : " (deadlock)";
      const std::string lanes =
          number("lanes") > 1 ? fmt::format(" ({} lanes)", number("lanes")) : "";
      panel.bars.push_back({fmt::format("{}{}{}", engine, mark, lanes), {}, number("largest")});
    }
    result.panels.push_back(std::move(panel));
    if (sftree) ++whole;
    const bool first = sftree && point.number("sftree largest") == least;
    if (first) ++evenest;
    if (best.empty()) {
      others += fmt::format(" {}: no engine joins every pair in one lane.", label);
    } else if (!first) {
      others += fmt::format(" {}: {} has {}.", label, best, least);
    }
  }
  result.verdict = verdict_of(whole == fabrics.size() && evenest == fabrics.size());
  result.finding = fmt::format(
      "sftree joins every pair in one lane without deadlock on {} of {} fabrics, and has the least "
      "flows on its fullest channel among the engines that do on {}.{}",
      whole, fabrics.size(), evenest, others);
  return result;
}

}  // namespace fatwood
