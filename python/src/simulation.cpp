// SPDX-License-Identifier: BSD-3-Clause
// The flit-level simulator for Python: loads or the search for saturation.

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "app/sim_model.hpp"
#include "background.hpp"
#include "core/error.hpp"
#include "parameters.hpp"
#include "report/jobs/sim_report.hpp"
#include "routing/resolve.hpp"
#include "sim/workload/sizes.hpp"
#include "values.hpp"

namespace fatwood::python {

namespace {

struct SimWords {
  std::vector<double> loads;  // empty: search for saturation
  std::string traffic = "uniform", paths = "packet-turns";
  bool adaptive = false;
  std::int64_t cycles = 30000;
  std::uint64_t message_flits = 0;  // 0: a packet
  SwitchModelChoice model;
  std::uint64_t seed = 1;
  int threads = 0;
};
template <class Visitor>
void describe(Visitor& visit, SimWords& words) {
  visit(words.traffic, {.name = "traffic", .help = ""});
  describe_paths(visit, words.paths);
  visit(words.cycles, {.name = "cycles", .help = ""});
  visit(words.message_flits, {.name = "message_flits", .help = ""});
  fatwood::describe(visit, words.model);
}

struct Simulated {
  Printed printed;
  std::string svg;
  std::vector<std::vector<double>> use;  // of each point, by channel
};

Simulated simulated(const FabricValue& fabric, const Routes& routes, const SimWords& words,
                    const Progress& progress) {
  std::optional<ResolvedRouting> routing;
  if (!words.adaptive) routing = resolved(fabric, routes, words.seed, words.threads);
  const Simulation simulation(*fabric.model, std::move(routing),
                              {.switches = make_model(fabric.model->fabric(), words.model),
                               .lanes = words.model.lanes,
                               .choice = parse_path_choice(words.paths),
                               .seed = words.seed});
  const Fabric& of = simulation.fabric();
  const sim::Network& network = simulation.network;
  simulation.routes.check_terminals(of);
  SweepOptions options;
  options.loads = words.loads;
  options.traffic = words.traffic;
  options.open.message_flits = words.message_flits;
  options.open.cycles = words.cycles;
  options.threads = words.threads;
  options.progress = progress;
  const SimResult result = simulate_loads(simulation, options);
  const Participants who = all_participants(*fabric.model);
  Simulated all{{sim_json(of, network, result, who), sim_text(of, network, result)},
                svg_plot(sim_panels(
                    fabric.name + ", " + (words.adaptive ? "adaptive" : name_of(routes)), result)),
                {}};
  for (const sim::Point& point : result.points) {
    all.use.emplace_back(point.use.begin(),
                         point.use.begin() + static_cast<std::ptrdiff_t>(
                                                 std::min(point.use.size(), of.num_channels())));
  }
  return all;
}

py::tuple simulate(const FabricValue& fabric, const Routes& routes,
                   const std::vector<double>& loads, const py::dict& options, bool adaptive,
                   std::uint64_t seed, int threads, const py::object& report_progress) {
  SimWords words{
      .loads = loads, .adaptive = adaptive, .model = {}, .seed = seed, .threads = threads};
  FromKeywords set(options);
  describe(set, words);
  set.finish();
  Simulated all = in_background(report_progress, [=](const Progress& progress) {
    return simulated(fabric, routes, words, progress);
  });
  std::vector<py::array_t<double>> use;
  for (std::vector<double>& one : all.use) use.push_back(read_only(std::move(one)));
  return py::make_tuple(all.printed, all.svg, use);
}

}  // namespace

void add_simulation(py::module_& module) {
  module.def("simulate", simulate);
  module.def("parse_loads", [](const std::string& text) { return sim::parse_loads(text); });
}

}  // namespace fatwood::python
