// SPDX-License-Identifier: BSD-3-Clause
// [Bogdanski12], Table IV: seconds to compute routes, of CPU on one thread. PublishedTime: OpenSM's
// ftree without and with routes between switches (sFtree), and LASH, on hardware of 2013. Ours:
// ftree, sftree and lash, the least of three runs or more, for half a second. Machines differ by a
// decade: what can be compared are the ratios within a row. The real OpenSM on the same machine
// is shown next to it where its table is given (bench/opensm/side_by_side, CPU seconds inside
// OpenSM's process).

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <map>
#include <sstream>

#include "core/error.hpp"
#include "core/text/text_file.hpp"
#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "studies/study.hpp"

namespace fatwood {

namespace {

struct PublishedTime {
  const char *fabric, *engine;
  double seconds;  // 0: the paper could not run it
};
constexpr PublishedTime kTable4[] = {{"switch648", "ftree", 0.047},
                                     {"switch648", "sftree", 0.047},
                                     {"switch648", "lash", 0.04},
                                     {"switch648+racks", "ftree", 0.104},
                                     {"switch648+racks", "sftree", 0.112},
                                     {"switch648+racks", "lash", 0.27},
                                     {"switch3456", "ftree", 2.29},
                                     {"switch3456", "sftree", 2.796},
                                     {"switch3456", "lash", 400.99},
                                     {"juropa", "ftree", 6.43},
                                     {"juropa", "sftree", 8.858},
                                     {"juropa", "lash", 0},
                                     {"ranger", "ftree", 21.73},
                                     {"ranger", "sftree", 27.8},
                                     {"ranger", "lash", 0}};

StudyPoint least_time(const PublishedTime& p, const StudyContext& context) {
  const Fabric fabric = make_fabric(p.fabric);
  double least = 1e300;
  unsigned lanes = 0;
  double spent = 0;
  for (int i = 0; i < 3 || spent < 0.5; ++i) {
    if (i > 0 && spent > 5) break;
    const std::clock_t start = std::clock();
    const Routing routing = route(find_engine(p.engine), Model(fabric),
                                  {.max_lanes = 15, .seed = context.seed, .threads = 1});
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    least = std::min(least, seconds);
    spent += seconds;
    lanes = routing.lanes.count;
  }
  return {.numbers = {{"seconds", least}, {"lanes", lanes}}};
}

// "| switch648 | ftree | 0.0123 | ..": OpenSM's seconds by fabric and engine.
std::map<std::pair<std::string, std::string>, double> read_opensm(const std::string& path) {
  std::map<std::pair<std::string, std::string>, double> times;
  if (path.empty()) return times;
  std::ifstream in = open_text(path);
  TextLines lines(in, path);
  while (const auto line = lines.next()) {
    std::istringstream words{std::string(*line)};
    std::string bar, fabric, engine;
    double seconds = 0;
    if (words >> bar >> fabric >> bar >> engine >> bar >> seconds && bar == "|") {
      times[{fabric, engine}] = seconds;
    }
  }
  if (times.empty()) {
    throw InputError({.file = path}, "expected rows \"| fabric | engine | seconds |\"");
  }
  return times;
}

}  // namespace

StudyResult run_route_times_of_bogdanski12(const StudyContext& context) {
  const auto opensm = read_opensm(context.opensm);
  std::vector<PointTask> tasks;
  for (const PublishedTime& p : kTable4) {
    tasks.push_back({fmt::format("{} {} least CPU seconds", p.fabric, p.engine),
                     [&] { return least_time(p, context); }});
  }
  const std::vector<StudyPoint> points = measure(context, tasks);
  StudyResult result{.label_names = {"fabric", "engine"},
                     .more_names = {"lanes", "OpenSM, this machine"}};
  PlotPanel panel{
      .title = "Computing routes", .x_label = "CPU seconds", .x_scale = Scale::kLog, .bars = {}};
  std::map<std::string, std::map<std::string, double>> ours;
  std::size_t faster = 0;
  std::size_t given = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PublishedTime& p = kTable4[i];
    const double seconds = points[i].number("seconds");
    const bool has = p.seconds > 0;
    const auto theirs = opensm.find({p.fabric, p.engine});
    result.rows.push_back(
        {.labels = {p.fabric, p.engine},
         .published = has ? StudyValue(p.seconds) : StudyValue("not in reasonable time"),
         .ours = seconds,
         .more = {points[i].number("lanes"),
                  theirs == opensm.end() ? StudyValue() : StudyValue(theirs->second)},
         .seconds = points[i].seconds});
    panel.bars.push_back({fmt::format("{}, {}", p.fabric, p.engine),
                          has ? std::optional(p.seconds) : std::nullopt, seconds});
    ours[p.fabric][p.engine] = seconds;
    if (has) ++given;
    if (has && seconds < p.seconds) ++faster;
  }
  result.panels.push_back(std::move(panel));
  double overhead = 0;
  double lash = 1e300;
  for (auto& [fabric, of] : ours) {
    overhead = std::max(overhead, of["sftree"] / of["ftree"]);
    if (fabric != "switch648") lash = std::min(lash, of["lash"] / of["sftree"]);
  }
  constexpr double kPublishedOverhead = 8.858 / 6.43;
  const bool little = overhead <= kPublishedOverhead;
  result.verdict = verdict_of(little && lash > 1, little || lash > 1);
  result.finding = fmt::format(
      "Routes between switches cost {:.2f} times ftree's time at most (published 1.38): {}. Above "
      "the 648-port switch our LASH takes at least {:.1f} times as long as sFtree: {}. Ours is "
      "below the published seconds on {} of {} (a newer machine).",
      overhead, little ? "seen" : "not seen", lash, lash > 1 ? "seen" : "not seen", faster, given);
  std::string theirs;
  for (const char* fabric : {"switch648", "switch648+racks", "switch3456"}) {
    const auto of_ftree = opensm.find({fabric, "ftree"});
    const auto of_lash = opensm.find({fabric, "lash"});
    if (of_ftree == opensm.end() || of_lash == opensm.end()) continue;
    theirs += fmt::format(" {:.1f} on {},", of_lash->second / of_ftree->second, fabric);
  }
  if (!theirs.empty()) {
    theirs.back() = '.';
    result.finding += " The seconds of OpenSM's own LASH by those of its ftree are" + theirs;
  }
  return result;
}

}  // namespace fatwood
