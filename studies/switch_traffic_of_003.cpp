// 003, Figure 7 and Table III: hosts at full load and traffic between the switches' own ports, on
// the 648-port switch, 2 kB messages, hosts at 20 Gb/s, port 0 of a switch at 2.5 Gb/s.
//
// Table III depends on the order in which destinations are laid: numbered as the tree is drawn,
// minhop, updn and dfsssp end up with the routes of d-mod-k. A real subnet gives out addresses in
// order of discovery, so `ours` lays them at random; in order stands beside.

#include <fmt/format.h>

#include <map>
#include <set>

#include "core/random.hpp"
#include "studies/sim_bench.hpp"
#include "topology/spec.hpp"

namespace fatwood {

namespace {

sim::Model model_of_003(std::uint32_t port0_megabits) {
  sim::Model model;
  model.packet_flits = 2048 / model.flit_bytes;
  model.input_flits = model.output_flits = 4 * model.packet_flits;
  model.link_speed = 20000;  // Mb/s
  model.port0_speed = port0_megabits;
  return model;
}

struct Load {
  double switches = 1;         // of what port 0 can send
  unsigned own_lane = 0;       // 1: switch traffic in a lane of its own
  std::uint32_t port0 = 2500;  // Mb/s
};

std::vector<Terminal> random_order(std::size_t terminals, std::uint64_t seed) {
  std::vector<Terminal> order;
  for (const std::uint32_t t :
       Random(seed, 0, 7).permutation(static_cast<std::uint32_t>(terminals))) {
    order.push_back(static_cast<Terminal>(t));
  }
  return order;
}

StudyPoint accepted(const std::string& spec, const std::string& engine, const Load& load,
                    const RouteOptions& options, sim::Time cycles) {
  const auto bench = bench_engine(spec, engine, model_of_003(load.port0), load.own_lane, options);
  sim::OpenTraffic traffic;
  traffic.message_flits = traffic.switch_message_flits = bench->model.packet_flits;
  traffic.switch_load = load.switches;
  traffic.switch_service_level =
      static_cast<std::uint8_t>(load.own_lane == 0 ? 0 : bench->routing.lanes.count);
  traffic.cycles = cycles;
  const sim::Point point = sim::run_load(bench->setup(), traffic, 1.0);
  return {.numbers = {{"hosts", 100 * point.terminals.accepted.mean},
                      {"switches", load.switches > 0 ? 100 * point.switches.accepted.mean : 0},
                      {"deadlock", point.deadlock ? 1.0 : 0.0}}};
}

}  // namespace

StudyResult run_switch_traffic_of_003(const StudyContext& context) {
  const sim::Time cycles = context.quick() ? 5000 : 30000;
  const std::vector<double> shares =
      context.quick() ? std::vector<double>{0, 0.5, 1}
                      : std::vector<double>{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1};
  struct Series {
    const char* name;
    unsigned own_lane;
    std::uint32_t port0;
  };
  constexpr Series kSeries[] = {{"one lane", 0, 2500},
                                {"two lanes", 1, 2500},
                                {"one lane, 20 Gb/s", 0, 20000},
                                {"two lanes, 20 Gb/s", 1, 20000}};
  std::vector<PointTask> tasks;
  for (const Series& series : kSeries) {
    for (const double share : shares) {
      tasks.push_back({fmt::format("switch648 sftree {} switches {} {} cycles seed {}", series.name,
                                   share, cycles, context.seed),
                       [=, &context] {
                         return accepted(
                             "switch648", "sftree", {share, series.own_lane, series.port0},
                             {.seed = context.seed, .threads = context.threads}, cycles);
                       }});
    }
  }
  const std::vector<StudyPoint> points = measure(context, tasks);
  StudyResult result{.label_names = {"switch traffic in", "percent"},
                     .more_names = {"accepted by switches"}};
  PlotPanel panel{.title = "648-port switch, sFtree, hosts at full load",
                  .x_label = "switch traffic, percent of port 0",
                  .y_label = "accepted by hosts, percent",
                  .lines = {}};
  std::vector<double> first, last;
  std::size_t i = 0;
  for (const Series& series : kSeries) {
    PlotLine line{series.name, {}};
    for (const double share : shares) {
      const StudyPoint& point = points[i++];
      StudyValue published;
      if (share == 1 && series.port0 == 2500) published = series.own_lane == 0 ? 91.94 : 64.0;
      result.rows.push_back({.labels = {series.name, fmt::format("{:.0f}", 100 * share)},
                             .published = published,
                             .ours = point.number("hosts"),
                             .more = {point.number("switches")},
                             .seconds = point.seconds});
      line.points.emplace_back(100 * share, point.number("hosts"));
    }
    first.push_back(line.points.front().second);
    last.push_back(line.points.back().second);
    panel.lines.push_back(std::move(line));
  }
  result.panels.push_back(std::move(panel));
  const bool little = first[0] - last[0] < 3;      // 1 point in the paper
  const bool much = last[1] > 59 && last[1] < 69;  // 64 in the paper
  result.seen = little && much;
  result.finding = fmt::format(
      "In one lane hosts lose {:.1f} points (published 1): {}. In two lanes they keep {:.1f}% "
      "(published 64): {}; with switches that send 20 Gb/s they keep {:.1f}%.",
      first[0] - last[0], little ? "seen" : "not seen", last[1], much ? "seen" : "not seen",
      last[3]);
  return result;
}

StudyResult run_engines_of_003(const StudyContext& context) {
  struct Published {
    const char *fabric, *engine;
    double throughput;  // percent, Table III
  };
  constexpr Published kTable3[] = {
      {"switch648", "sftree", 91.94},       {"switch648", "minhop", 66.98},
      {"switch648", "updn", 66.98},         {"switch648", "dfsssp", 85.49},
      {"switch648", "lash", 5.257},         {"switch648+racks", "sftree", 92.93},
      {"switch648+racks", "minhop", 54.01}, {"switch648+racks", "updn", 54.01},
      {"switch648+racks", "dfsssp", 84.20}, {"switch648+racks", "lash", 0.8103}};
  const sim::Time cycles = context.quick() ? 5000 : 30000;
  std::vector<PointTask> tasks;
  for (const Published& p : kTable3) {
    for (const char* order : {"random", "numbers"}) {
      tasks.push_back({fmt::format("{} {} order {} {} cycles seed {}", p.fabric, p.engine, order,
                                   cycles, context.seed),
                       [=, &context] {
                         RouteOptions options{.seed = context.seed, .threads = context.threads};
                         if (std::string(order) == "random") {
                           options.order =
                               random_order(make_fabric(p.fabric).num_terminals(), context.seed);
                         }
                         return accepted(p.fabric, p.engine, {}, options, cycles);
                       }});
    }
  }
  const std::vector<StudyPoint> points = measure(context, tasks);
  StudyResult result{.label_names = {"fabric", "engine"},
                     .more_names = {"in order", "deadlock seen"}};
  std::map<std::string, std::map<std::string, double>> ours;
  for (std::size_t i = 0; i < std::size(kTable3); ++i) {
    const Published& p = kTable3[i];
    const StudyPoint& random = points[2 * i];
    const StudyPoint& numbers = points[2 * i + 1];
    const bool deadlock = random.number("deadlock") + numbers.number("deadlock") > 0;
    result.rows.push_back({.labels = {p.fabric, p.engine},
                           .published = p.throughput,
                           .ours = random.number("hosts"),
                           .more = {numbers.number("hosts"), deadlock ? "yes" : "no"},
                           .seconds = random.seconds + numbers.seconds});
    ours[p.fabric][p.engine] = random.number("hosts");
  }
  std::string orders;
  result.seen = true;
  for (auto& [fabric, of] : ours) {
    const bool same = of["sftree"] > of["dfsssp"] && of["dfsssp"] > of["minhop"] &&
                      of["minhop"] > of["lash"] && of["updn"] > of["lash"];
    result.seen = result.seen && same;
    orders += fmt::format(
        " {}: sftree {:.1f}, dfsssp {:.1f}, minhop {:.1f}, updn {:.1f}, lash {:.2f} ({}).", fabric,
        of["sftree"], of["dfsssp"], of["minhop"], of["updn"], of["lash"],
        same ? "the published order" : "another order");
  }
  result.finding = "Destinations laid at random:" + orders;
  return result;
}

}  // namespace fatwood
