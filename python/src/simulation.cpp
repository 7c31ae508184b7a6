// SPDX-License-Identifier: BSD-3-Clause
// The flit-level simulator for Python: loads or the search for saturation.

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "background.hpp"
#include "core/error.hpp"
#include "report/jobs/sim_report.hpp"
#include "routing/resolve.hpp"
#include "sim/workload/sizes.hpp"
#include "values.hpp"

namespace fatwood::python {

namespace {

struct SimWords {
  std::vector<double> loads;  // empty: search for saturation
  std::string traffic = "uniform";
  bool adaptive = false;
  std::string paths = "packet-turns";
  std::int64_t cycles = 30000;
  std::uint64_t message_flits = 0;  // 0: a packet
  std::uint32_t packet_flits = 10, buffer_packets = 4;
  std::uint32_t lanes = 0;  // 0: as many as the routing has
  std::string queueing = "output", receivers = "link";
  std::uint32_t crossbar = 0;  // 0: without limit
  std::uint32_t link_latency = 0, switch_latency = 0;
  std::uint64_t seed = 1;
  int threads = 0;
};

template <class T>
T one_of(const std::string& what, const std::string& word,
         const std::vector<std::pair<std::string, T>>& words) {
  std::string names;
  for (const auto& [name, value] : words) {
    if (name == word) return value;
    names += (names.empty() ? "" : ", ") + name;
  }
  throw InputError(fmt::format("{} \"{}\": expected one of {}", what, word, names));
}

sim::Model model_of(const SimWords& words) {
  sim::Model model;
  const std::uint64_t buffer = std::uint64_t{words.buffer_packets} * words.packet_flits;
  if (buffer == 0 || buffer > 0x7fffffff) {
    throw InputError("packet_flits, buffer_packets: expected 1 or more, and fewer than 2^31 flits");
  }
  if (words.crossbar > 64) throw InputError("crossbar: expected 1 to 64, or 0 for no limit");
  constexpr std::uint32_t kMostLatency = 1'000'000;
  if (words.link_latency > kMostLatency || words.switch_latency > kMostLatency) {
    throw InputError("a latency of more than a million cycles");
  }
  model.packet_flits = words.packet_flits;
  model.input_flits = model.output_flits = static_cast<std::uint32_t>(buffer);
  model.queueing =
      one_of<sim::Queueing>("queueing", words.queueing,
                            {{"output", sim::Queueing::kByOutput}, {"fifo", sim::Queueing::kFifo}});
  model.receivers = one_of<sim::Receivers>(
      "receivers", words.receivers,
      {{"link", sim::Receivers::kLink}, {"unlimited", sim::Receivers::kUnlimited}});
  model.crossbar_speedup = words.crossbar;
  model.link_latency = words.link_latency;
  model.switch_latency = words.switch_latency;
  return model;
}

sim::PathChoice choice_of(const std::string& word) {
  using sim::PathChoice;
  return one_of<PathChoice>("paths", word,
                            {{"packet-random", PathChoice::kRandomPerPacket},
                             {"packet-turns", PathChoice::kRoundRobinPerPacket},
                             {"packet-order", PathChoice::kInOrderPerPacket},
                             {"message-random", PathChoice::kRandomPerMessage},
                             {"message-turns", PathChoice::kRoundRobinPerMessage}});
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
                              {.switches = model_of(words),
                               .lanes = words.lanes,
                               .choice = choice_of(words.paths),
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

py::tuple simulate(const FabricValue& fabric, const Routes& routes, const SimWords& words,
                   const py::object& report_progress) {
  Simulated all = in_background(report_progress, [=](const Progress& progress) {
    return simulated(fabric, routes, words, progress);
  });
  std::vector<py::array_t<double>> use;
  for (std::vector<double>& one : all.use) use.push_back(read_only(std::move(one)));
  return py::make_tuple(all.printed, all.svg, use);
}

}  // namespace

void add_simulation(py::module_& module) {
  py::class_<SimWords>(module, "SimWords")
      .def(py::init<>())
      .def_readwrite("loads", &SimWords::loads)
      .def_readwrite("traffic", &SimWords::traffic)
      .def_readwrite("adaptive", &SimWords::adaptive)
      .def_readwrite("paths", &SimWords::paths)
      .def_readwrite("cycles", &SimWords::cycles)
      .def_readwrite("message_flits", &SimWords::message_flits)
      .def_readwrite("packet_flits", &SimWords::packet_flits)
      .def_readwrite("buffer_packets", &SimWords::buffer_packets)
      .def_readwrite("lanes", &SimWords::lanes)
      .def_readwrite("queueing", &SimWords::queueing)
      .def_readwrite("receivers", &SimWords::receivers)
      .def_readwrite("crossbar", &SimWords::crossbar)
      .def_readwrite("link_latency", &SimWords::link_latency)
      .def_readwrite("switch_latency", &SimWords::switch_latency)
      .def_readwrite("seed", &SimWords::seed)
      .def_readwrite("threads", &SimWords::threads);
  module.def("simulate", simulate);
  module.def("parse_loads", [](const std::string& text) { return sim::parse_loads(text); });
}

}  // namespace fatwood::python
