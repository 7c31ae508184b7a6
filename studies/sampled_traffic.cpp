// SPDX-License-Identifier: BSD-3-Clause
// [Yuan07], Figures 10 and 11: mean PERF of random uniform and of clustered traffic, 50 instances a
// point, over OSRM, MLID and WSR. Every routing sees the same instances. The figures' values are
// not printed in the paper: its words stand in their place.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "io/fabric/spec.hpp"
#include "studies/study.hpp"
#include "studies/tree_points.hpp"

namespace fatwood {

namespace {

struct Sampling {
  std::string spec, routing, parameter;
  std::function<Traffic(std::size_t n, std::uint64_t seed)> draw;
  unsigned instances;
};

StudyPoint mean_performance(const Sampling& sampling, const StudyContext& context) {
  const Fabric tree = make_fabric(sampling.spec);
  const auto paths = algebraic(tree, sampling.routing, context.seed);
  double sum = 0;
  double most = 0;
  for (unsigned i = 0; i < sampling.instances; ++i) {
    const Traffic traffic = sampling.draw(tree.num_terminals(), context.seed + i);
    const double perf = performance(tree, *paths, traffic, context.threads);
    sum += perf;
    most = std::max(most, perf);
  }
  return {.numbers = {{"mean", sum / sampling.instances}, {"most", most}}};
}

std::vector<StudyPoint> measure_all(const StudyContext& context,
                                    const std::vector<Sampling>& samplings) {
  std::vector<PointTask> tasks;
  for (const Sampling& s : samplings) {
    tasks.push_back({fmt::format("{} {} {} of {} seed {}", s.spec, s.routing, s.parameter,
                                 s.instances, context.seed),
                     [&] { return mean_performance(s, context); }});
  }
  return measure(context, tasks);
}

// A line for each routing, in order of the parameter.
PlotPanel panel(const std::string& title, const std::string& x_label,
                const std::map<std::string, PlotLine>& lines, Scale x_scale) {
  PlotPanel plot{.title = title,
                 .x_label = x_label,
                 .y_label = "mean ratio to the best routing",
                 .lines = {},
                 .x_scale = x_scale,
                 .y_from = 1};
  for (const auto& [name, line] : lines) plot.lines.push_back(line);
  return plot;
}

}  // namespace

StudyResult run_uniform_traffic(const StudyContext& context) {
  const std::vector<double> probabilities =
      context.quick()
          ? std::vector<double>{0.02, 0.1, 0.5, 1.0}
          : std::vector<double>{0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0};
  const unsigned instances = context.quick() ? 5 : 50;
  std::vector<Sampling> samplings;
  std::vector<double> x;
  for (const char* spec : {"ft(16,3)", "ft(32,2)"}) {
    const char* osrm = std::string(spec) == "ft(32,2)" ? "osrm2" : "osrm3";
    for (const char* routing : {osrm, "mlid", "wsr"}) {
      for (const double p : probabilities) {
        samplings.push_back(
            {spec, routing, fmt::format("p={}", p),
             [p](std::size_t n, std::uint64_t seed) { return uniform_traffic(n, p, seed); },
             instances});
        x.push_back(p);
      }
    }
  }
  const std::vector<StudyPoint> points = measure_all(context, samplings);
  StudyResult result{.label_names = {"tree", "routing", "traffic"}, .more_names = {"largest"}};
  std::map<std::string, std::map<std::string, PlotLine>> lines;
  double most = 0;
  std::size_t lines_count = 0;
  std::size_t falling = 0;  // lines that are nearer to 1 at their densest than at their sparsest
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Sampling& s = samplings[i];
    const double mean = points[i].number("mean");
    result.rows.push_back({.labels = {s.spec, s.routing, s.parameter},
                           .published = "very close to 1",
                           .ours = mean,
                           .more = {points[i].number("most")},
                           .seconds = points[i].seconds});
    lines[s.spec][s.routing].name = s.routing;
    lines[s.spec][s.routing].points.emplace_back(x[i], mean);
    most = std::max(most, mean);
  }
  for (const auto& [spec, of_tree] : lines) {
    result.panels.push_back(panel("Uniform traffic on " + spec, "probability that a pair sends",
                                  of_tree, Scale::kLinear));
    for (const auto& [routing, line] : of_tree) {
      ++lines_count;
      if (line.points.front().second >= line.points.back().second) ++falling;
    }
  }
  constexpr double kClose = 1.25;  // what is taken for "very close to 1"
  result.verdict = verdict_of(most < kClose && falling == lines_count);
  result.finding = fmt::format(
      "Mean ratios are {:.3f} at most; {} of {} routings have no less at the sparsest traffic than "
      "at "
      "the densest.",
      most, falling, lines_count);
  return result;
}

StudyResult run_clustered_traffic(const StudyContext& context) {
  const unsigned instances = context.quick() ? 20 : 50;
  std::vector<Sampling> samplings;
  std::vector<double> x;
  for (const char* routing : {"osrm2", "mlid", "wsr"}) {
    for (std::size_t group = 2; group <= 128; group *= 2) {
      samplings.push_back(
          {"ft(32,2)", routing, fmt::format("groups of {}", group),
           [group](std::size_t n, std::uint64_t seed) { return clustered_traffic(n, group, seed); },
           instances});
      x.push_back(static_cast<double>(group));
    }
  }
  const std::vector<StudyPoint> points = measure_all(context, samplings);
  StudyResult result{.label_names = {"tree", "routing", "traffic"}, .more_names = {"largest"}};
  std::map<std::string, PlotLine> lines;
  std::map<std::string, std::map<double, double>> mean;
  double osrm_most = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Sampling& s = samplings[i];
    const char* words = x[i] > 2 ? "" : s.routing == "osrm2" ? "never above 4" : "above 4";
    result.rows.push_back({.labels = {s.spec, s.routing, s.parameter},
                           .published = words,
                           .ours = points[i].number("mean"),
                           .more = {points[i].number("most")},
                           .seconds = points[i].seconds});
    lines[s.routing].name = s.routing;
    lines[s.routing].points.emplace_back(x[i], points[i].number("mean"));
    mean[s.routing][x[i]] = points[i].number("mean");
    if (s.routing == "osrm2") osrm_most = std::max(osrm_most, points[i].number("most"));
  }
  result.panels.push_back(
      panel("Clustered traffic on FT(32,2)", "terminals of a group", lines, Scale::kLog2));
  std::size_t better = 0;
  double gap = 0;  // MLID and WSR
  for (const auto& [group, osrm] : mean["osrm2"]) {
    if (osrm <= std::min(mean["mlid"][group], mean["wsr"][group])) ++better;
    gap = std::max(gap, std::abs(mean["mlid"][group] - mean["wsr"][group]));
  }
  const double mlid = mean["mlid"][2];
  const double wsr = mean["wsr"][2];
  const std::size_t groups = mean["osrm2"].size();
  result.verdict = verdict_of(mlid > 4 && wsr > 4 && osrm_most <= 4 && 2 * better > groups);
  result.finding = fmt::format(
      "In groups of 2 MLID has {:.3f}, WSR {:.3f}, OSRM2 {:.3f} and never more than {:.3f}; OSRM2 "
      "is "
      "best on {} of {} sizes; MLID and WSR are {:.3f} apart at most.",
      mlid, wsr, mean["osrm2"][2], osrm_most, better, groups, gap);
  return result;
}

}  // namespace fatwood
