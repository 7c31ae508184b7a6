// SPDX-License-Identifier: BSD-3-Clause
// Ours: what compute hosts of real fabrics get with each engine, when all send to all
// (analysis/rates/bottleneck.hpp). Fabrics are those given (files of real machines, which are not
// shipped); without any, like-selene and the two that [Bogdanski12] draws after real ones.
//
// Tables of OpenSM for the same fabrics are measured by bench/opensm/real_rates; --opensm adds
// them.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "core/error.hpp"
#include "core/text/text_file.hpp"
#include "io/fabric/load_fabric.hpp"
#include "routing/tables/fingerprint.hpp"
#include "studies/study.hpp"
#include "tasks/compare.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

namespace {

// "selene/fabric.txt" of a long path: files of real machines have names that repeat.
std::string short_name(const std::string& path) {
  const std::size_t last = path.find_last_of('/');
  if (last == std::string::npos || last == 0) return path;
  const std::size_t before = path.find_last_of('/', last - 1);
  return before == std::string::npos ? path : path.substr(before + 1);
}

// What one routing gives; rates in Gb/s per host, or shares of a port where speeds are unknown.
struct RatesRow {
  std::string engine;
  double worst = 0, p1 = 0, median = 0;
  double lost = 0, cyclic = 0;  // pairs without a route; 1: it can deadlock
  double evenness = 0, lanes = 0, hops = 0, seconds = 0;
  bool ours = true;
};

// "" in a text: the engine routes it. Numbers of all engines of a fabric in one point, for their
// engines share nothing but the fabric.
StudyPoint compare_on(const std::string& name, const StudyContext& context) {
  const Fabric fabric = load_fabric(name).fabric;
  const Model model(fabric);
  RouteOptions options{.seed = context.seed, .threads = context.threads};
  options.max_lanes = 15;
  StudyPoint point;
  const CompareOptions all{.route = options, .slow = SlowEngines::kAlways};
  const double gigabits = model.speeds().usual_gigabits();
  const double port = gigabits > 0 ? gigabits : 1;
  for (const EngineRow& row : compare(model, all).rows) {
    point.texts[row.name] = row.refused;
    if (!row.result) continue;
    const EngineResult& result = *row.result;
    const auto put = [&](const char* what, double value) {
      point.numbers[fmt::format("{} {}", row.name, what)] = value;
    };
    put("worst", result.rates.worst.value() * port);
    put("p1", result.rates.p1.value() * port);
    put("median", result.rates.median.value() * port);
    put("cyclic", result.deadlock_free ? 0 : 1);
    put("lanes", static_cast<double>(result.lanes));
    put("lost", static_cast<double>(result.reachability.unreachable.terminal_terminal));
    put("evenness", result.evenness_mean);
    put("hops", result.hops.terminals.mean());
    put("seconds", result.seconds);
  }
  return point;
}

std::vector<RatesRow> rates_rows(const StudyPoint& point) {
  std::vector<RatesRow> rows;
  for (const auto& [engine, refused] : point.texts) {
    if (!refused.empty()) continue;
    const auto number = [&](const char* what) {
      return point.number(fmt::format("{} {}", engine, what));
    };
    rows.push_back({engine, number("worst"), number("p1"), number("median"), number("lost"),
                    number("cyclic"), number("evenness"), number("lanes"), number("hops"),
                    number("seconds")});
  }
  return rows;
}

// Lines "FABRIC ENGINE WORST P1 MEDIAN LOST CYCLIC" of OpenSM's tables, by fabric.
std::map<std::string, std::vector<RatesRow>> read_opensm_rates(const std::string& path) {
  std::map<std::string, std::vector<RatesRow>> rows;
  if (path.empty()) return rows;
  std::ifstream in = open_text(path);
  TextLines lines(in, path);
  while (const auto line = lines.next()) {
    if (line->empty() || line->front() == '#') continue;
    std::istringstream words{std::string(*line)};
    std::string fabric;
    RatesRow row;
    row.ours = false;
    if (!(words >> fabric >> row.engine >> row.worst >> row.p1 >> row.median >> row.lost >>
          row.cyclic)) {
      throw InputError(lines.where(),
                       "expected \"FABRIC ENGINE WORST P1 MEDIAN LOST CYCLIC\", as "
                       "bench/opensm/real_rates prints it");
    }
    row.engine = "OpenSM's " + row.engine;
    rows[fabric].push_back(std::move(row));
  }
  return rows;
}

std::string rates_state(const RatesRow& row) {
  if (row.lost > 0) return fmt::format("{} pairs lost", row.lost);
  return row.cyclic > 0 ? "deadlock" : "safe";
}

PlotPanel rates_panel(const std::string& label, const std::vector<RatesRow>& rows) {
  PlotPanel panel{
      .title = label, .x_label = "worst pair of compute hosts, all to all, Gb/s", .bars = {}};
  const bool theirs = !std::ranges::all_of(rows, &RatesRow::ours);
  for (const RatesRow& row : rows) {
    // Next to OpenSM's engines, ours that are not among them.
    if (theirs && row.ours && row.engine != "even" && row.engine != "sftree") continue;
    const std::string state = rates_state(row);
    const std::string name =
        state == "safe" ? row.engine : fmt::format("{} ({})", row.engine, state);
    panel.bars.push_back({name, {}, row.worst});
  }
  return panel;
}

}  // namespace

StudyResult run_real_fabrics(const StudyContext& context) {
  std::vector<std::string> fabrics = context.fabrics;
  if (fabrics.empty()) fabrics = {"like-selene", "switch648+racks", "juropa"};
  std::map<std::string, std::vector<RatesRow>> theirs = read_opensm_rates(context.opensm);
  std::vector<PointTask> tasks;
  for (const std::string& fabric : fabrics) {
    // The fabric's own mark: a file of the same name may have changed since.
    const std::uint64_t mark = fingerprint(load_fabric(fabric).fabric);
    tasks.push_back({fmt::format("rates {} {:016x} seed {}", fabric, mark, context.seed),
                     [&] { return compare_on(fabric, context); }});
  }
  const std::vector<StudyPoint> points = measure(context, tasks);
  StudyResult result{.label_names = {"fabric", "engine"},
                     .ours_name = "worst pair, Gb/s",
                     .more_names = {"1%", "median", "state", "evenness", "VLs", "hops", "route s"}};
  std::size_t first = 0;  // fabrics where no safe tables have a better worst pair than even's
  std::string others;
  for (std::size_t i = 0; i < fabrics.size(); ++i) {
    const std::string label = short_name(fabrics[i]);
    std::vector<RatesRow> rows = rates_rows(points[i]);
    for (RatesRow& row : theirs[label]) rows.push_back(std::move(row));
    std::ranges::stable_sort(rows, std::ranges::greater{}, &RatesRow::worst);
    double seconds = points[i].seconds;
    double even = 0;
    const RatesRow* best = nullptr;
    for (const RatesRow& row : rows) {
      const std::string state = rates_state(row);
      result.rows.push_back({.labels = {label, row.engine},
                             .ours = row.worst,
                             .more = {row.p1, row.median, state},
                             .seconds = seconds});
      for (const double value : {row.evenness, row.lanes, row.hops, row.seconds}) {
        result.rows.back().more.push_back(row.ours ? StudyValue(value) : StudyValue());
      }
      seconds = 0;
      if (row.engine == "even") even = row.worst;
      // Adaptive tables choose as they send: no figure of static tables is comparable.
      if (state == "safe" && !row.engine.starts_with("ar_") && best == nullptr) best = &row;
    }
    result.panels.push_back(rates_panel(label, rows));
    if (best == nullptr) {
      others += fmt::format(" {}: no tables join every pair without deadlock.", label);
    } else if (even >= 0.999 * best->worst) {
      ++first;
    } else {
      others +=
          fmt::format(" {}: {} gives {:.4g}, even {:.4g}.", label, best->engine, best->worst, even);
    }
  }
  result.verdict = verdict_of(first == fabrics.size());
  result.finding = fmt::format(
      "On {} of {} fabrics, no tables that join every pair without deadlock give the worst pair of "
      "compute hosts more than even's.{}",
      first, fabrics.size(), others);
  return result;
}

}  // namespace fatwood
