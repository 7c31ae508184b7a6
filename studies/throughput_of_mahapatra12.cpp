// SPDX-License-Identifier: BSD-3-Clause
// [Mahapatra12], Table 1 and Figure 5: greatest throughput and message delay under uniform traffic
// on XGFT(3;4,4,8;1,4,4), flit by flit: packets of 10 flits, messages of 10 packets, Poisson, 4
// packets of buffer at each input and output, one lane.
//
// The paper is silent on receivers, the crossbar, the order of paths and what a throughput is. Here
// receivers never block, one packet at a time enters an output, and every message starts with its
// pair's first path and takes the next in the list for each packet. A run is 100 messages of each
// host, at Poisson times; its throughput is what it carried by the time that the last one has
// arrived, the greater of offered loads 0.8 and 1; the mean of five seeds. Next to it, of open
// runs: the greatest accepted load, and that at the last offered load before saturation on a grid
// of 4%; and the first value with receivers that are limited by their link. docs/reference/sim.md
// says what else was tried.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/random.hpp"
#include "studies/sim_bench.hpp"

namespace fatwood {

namespace {

constexpr auto kTree = "xgft(3;4,4,8;1,4,4)";
constexpr std::uint64_t kMessageFlits = 100;

struct PublishedPoint {
  const char* routing;
  const char* heuristic;
  unsigned K;
  double throughput;  // percent, Table 1
};
constexpr PublishedPoint kTable1[] = {
    {"dmodk", "dmodk", 1, 49.02},         {"random", "random", 1, 38.19},
    {"shift1:2", "shift1", 2, 54.88},     {"random:2", "random", 2, 49.07},
    {"disjoint:2", "disjoint", 2, 61.32}, {"shift1:4", "shift1", 4, 59.03},
    {"random:4", "random", 4, 59.01},     {"disjoint:4", "disjoint", 4, 67.65},
    {"shift1:8", "shift1", 8, 67.65},     {"random:8", "random", 8, 69.75},
    {"disjoint:8", "disjoint", 8, 71.35}, {"shift1:16", "shift1", 16, 65.30},
    {"random:16", "random", 16, 73.41},   {"disjoint:16", "disjoint", 16, 76.95}};

sim::OpenTraffic uniform_messages(sim::Time cycles) {
  sim::OpenTraffic traffic;
  traffic.message_flits = kMessageFlits;
  traffic.cycles = cycles;
  return traffic;
}

sim::Model model_of(sim::Receivers receivers) {
  sim::Model model;
  model.crossbar_speedup = 1;
  model.receivers = receivers;
  return model;
}

std::unique_ptr<SimBench> bench_of(const std::string& routing, sim::Receivers receivers,
                                   std::uint64_t seed) {
  return bench_algebraic(kTree, routing, model_of(receivers), seed,
                         sim::PathChoice::kInOrderPerPacket);
}

// Each host's messages, to anybody else, at Poisson times.
sim::MessageLists finite_lists(const sim::Network& network, unsigned messages, double load,
                               std::uint64_t seed) {
  constexpr std::uint32_t kStream = 6;
  const auto hosts = static_cast<std::uint32_t>(network.terminals);
  sim::MessageLists lists(network.endpoints());
  for (std::uint32_t host = 0; host < hosts; ++host) {
    Random random(seed, host, kStream);
    double time = 0;
    for (unsigned i = 0; i < messages; ++i) {
      time -= std::log(1 - random.uniform()) * kMessageFlits / load * network.cycle;
      const auto other = static_cast<std::uint32_t>(random.below(hosts - 1));
      lists[host].push_back({.created = static_cast<sim::Time>(time),
                             .flits = kMessageFlits,
                             .dest = other + (other >= host ? 1 : 0)});
    }
  }
  return lists;
}

// Percent of what hosts can send, over a whole run.
double whole_run(const std::string& routing, sim::Receivers receivers,
                 const StudyContext& context) {
  const unsigned seeds = context.quick() ? 1 : 5;
  double sum = 0;
  for (unsigned i = 0; i < seeds; ++i) {
    const auto bench = bench_of(routing, receivers, context.seed + i);
    double most = 0;
    for (const double load : {0.8, 1.0}) {
      const sim::CollectiveResult run = sim::run_lists(
          bench->setup(),
          finite_lists(bench->network, context.quick() ? 50 : 100, load, context.seed + i),
          sim::Pace::kAtTime);
      most = std::max(most, run.overall);
    }
    sum += most;
  }
  return 100 * sum / seeds;
}

// Percent.
struct AcceptedAt {
  double last = 0;      // at the last load before saturation
  double greatest = 0;  // at any load
};

// The mean over seeds of what a sweep over the grid says; random draws of paths have more seeds.
AcceptedAt accepted(const std::string& routing, const std::vector<double>& grid,
                    const StudyContext& context) {
  const unsigned seeds = context.quick() ? 1 : routing.starts_with("random") ? 5 : 2;
  AcceptedAt mean;
  for (unsigned i = 0; i < seeds; ++i) {
    const auto bench = bench_of(routing, sim::Receivers::kUnlimited, context.seed + i);
    const std::vector<sim::Point> points = sim::run_sweep(
        bench->setup(), uniform_messages(context.quick() ? 4000 : 8000), grid, context.threads);
    double most = 0;
    for (const sim::Point& p : points) most = std::max(most, p.terminals.accepted.mean);
    const auto found = sim::saturation_on_grid(points);
    mean.last += 100 * (found ? found->accepted : 0) / seeds;
    mean.greatest += 100 * most / seeds;
  }
  return mean;
}

std::vector<double> grid_of(double first, double last, double step) {
  std::vector<double> grid;
  for (double load = first; load < last + step / 2; load += step) grid.push_back(load);
  return grid;
}

}  // namespace

StudyResult run_throughput_of_mahapatra12(const StudyContext& context) {
  const std::vector<double> grid =
      context.quick() ? grid_of(0.3, 0.9, 0.15) : grid_of(0.28, 0.92, 0.04);
  std::vector<PointTask> tasks;
  for (const PublishedPoint& p : kTable1) {
    tasks.push_back(
        {fmt::format("{} {} {} seed {}", kTree, p.routing,
                     context.quick() ? "50 messages" : "100 messages x 5, grid of 4%, 8000",
                     context.seed),
         [&] {
           const AcceptedAt open = accepted(p.routing, grid, context);
           return StudyPoint{
               .numbers = {{"whole", whole_run(p.routing, sim::Receivers::kUnlimited, context)},
                           {"bound", whole_run(p.routing, sim::Receivers::kLink, context)},
                           {"greatest", open.greatest},
                           {"last", open.last}}};
         }});
  }
  const std::vector<StudyPoint> points = measure(context, tasks);
  StudyResult result{.label_names = {"routing"},
                     .more_names = {"greatest accepted", "last before saturation",
                                    "whole run, receivers' links bind"}};
  std::map<std::string, std::pair<PlotLine, PlotLine>> lines;  // ours, published
  std::map<unsigned, std::map<std::string, double>> by_K;
  std::size_t near = 0;
  constexpr double kNear = 5;  // points
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PublishedPoint& p = kTable1[i];
    const double ours = points[i].number("whole");
    result.rows.push_back({.labels = {p.routing},
                           .published = p.throughput,
                           .ours = ours,
                           .more = {points[i].number("greatest"), points[i].number("last"),
                                    points[i].number("bound")},
                           .seconds = points[i].seconds});
    by_K[p.K][p.heuristic] = ours;
    if (std::abs(ours - p.throughput) <= kNear) ++near;
    auto& [mine, theirs] = lines[p.heuristic];
    mine.name = p.heuristic;
    mine.points.emplace_back(p.K, ours);
    theirs.name = fmt::format("{}, published", p.heuristic);
    theirs.kind = LineKind::kPublished;
    theirs.points.emplace_back(p.K, p.throughput);
  }
  PlotPanel panel{.title = "Greatest throughput, " + std::string(kTree),
                  .x_label = "K, paths of a pair",
                  .y_label = "accepted, percent of capacity",
                  .lines = {},
                  .x_scale = Scale::kLog2};
  for (auto& [name, pair] : lines) {
    panel.lines.push_back(std::move(pair.first));
    panel.lines.push_back(std::move(pair.second));
  }
  result.panels.push_back(std::move(panel));
  std::size_t best = 0;
  for (const unsigned K : {2U, 4U, 8U, 16U}) {
    const auto& of = by_K[K];
    if (of.at("disjoint") >= std::max(of.at("shift1"), of.at("random"))) ++best;
  }
  const auto& of = by_K;
  const bool rises = of.at(2).at("disjoint") < of.at(4).at("disjoint") &&
                     of.at(4).at("disjoint") < of.at(8).at("disjoint") &&
                     of.at(8).at("disjoint") < of.at(16).at("disjoint");
  const bool gains = of.at(2).at("disjoint") > of.at(1).at("dmodk");
  result.verdict = verdict_of(best == 4 && rises && near == points.size(), best == 4 && gains);
  result.finding = fmt::format(
      "disjoint is best on {} of 4 K; its throughput {} with K from 2 to 16 ({:.1f} to {:.1f}, "
      "published 61.3 to 77.0); d-mod-k has {:.1f} (published 49.0); {} of {} values are within "
      "{:.0f} points of the published.",
      best, rises ? "rises" : "does not rise", of.at(2).at("disjoint"), of.at(16).at("disjoint"),
      of.at(1).at("dmodk"), near, points.size(), kNear);
  return result;
}

StudyResult run_delay_of_mahapatra12(const StudyContext& context) {
  const std::vector<double> loads =
      context.quick() ? std::vector<double>{0.1, 0.3, 0.45}
                      : std::vector<double>{0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55};
  const char* const routings[] = {"dmodk",      "disjoint:2", "disjoint:4",
                                  "disjoint:8", "shift1:8",   "random:8"};
  std::vector<PointTask> tasks;
  for (const char* routing : routings) {
    for (const double load : loads) {
      tasks.push_back(
          {fmt::format("{} {} load {} {} seed {}", kTree, routing, load,
                       context.quick() ? "20000" : "100000", context.seed),
           [=, &context] {
             const auto bench = bench_of(routing, sim::Receivers::kUnlimited, context.seed);
             const sim::Point point = sim::run_load(
                 bench->setup(), uniform_messages(context.quick() ? 20000 : 100000), load);
             return StudyPoint{.numbers = {{"latency", point.terminals.message.mean},
                                           {"half_width", point.terminals.message.half}}};
           }});
    }
  }
  const std::vector<StudyPoint> points = measure(context, tasks);
  StudyResult result{.label_names = {"routing", "load"}, .more_names = {"half width"}};
  PlotPanel panel{.title = "Message delay, " + std::string(kTree),
                  .x_label = "offered load, of capacity",
                  .y_label = "mean message delay, cycles",
                  .lines = {}};
  std::map<std::string, std::map<double, double>> delay;
  std::size_t i = 0;
  for (const char* routing : routings) {
    PlotLine line{routing, {}};
    for (const double load : loads) {
      const StudyPoint& point = points[i++];
      const double latency = point.number("latency");
      result.rows.push_back({.labels = {routing, fmt::format("{}", load)},
                             .ours = latency,
                             .more = {point.number("half_width")},
                             .seconds = point.seconds});
      line.points.emplace_back(load, latency);
      delay[routing][load] = latency;
    }
    panel.lines.push_back(std::move(line));
  }
  result.panels.push_back(std::move(panel));
  const double high = loads.back();
  const double low = loads.front();
  const auto at = [&](const char* routing, double load) { return delay[routing][load]; };
  const bool less =
      at("disjoint:4", high) < at("dmodk", high) && at("disjoint:8", high) < at("dmodk", high);
  const bool best = at("disjoint:8", high) < at("shift1:8", high) &&
                    at("disjoint:8", high) < at("random:8", high);
  const bool four = at("disjoint:4", low) < at("disjoint:8", low);
  result.verdict = verdict_of(less && best && four);
  result.finding = fmt::format(
      "At load {} d-mod-k takes {:.0f} cycles, disjoint(4) {:.0f}, disjoint(8) {:.0f}, shift-1(8) "
      "{:.0f}, random(8) {:.0f}; at load {} disjoint(4) {:.1f} and disjoint(8) {:.1f}.",
      high, at("dmodk", high), at("disjoint:4", high), at("disjoint:8", high), at("shift1:8", high),
      at("random:8", high), low, at("disjoint:4", low), at("disjoint:8", low));
  return result;
}

}  // namespace fatwood
