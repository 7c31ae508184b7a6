// SPDX-License-Identifier: BSD-3-Clause
// The flit-level simulator for Python: loads or the search for saturation.

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "apart.hpp"
#include "core/error.hpp"
#include "report/jobs/sim_report.hpp"
#include "routing/resolve.hpp"
#include "sim/workload/sizes.hpp"
#include "traffic/traffic.hpp"
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

sim::Model model_of(const SimWords& words, unsigned routing_lanes) {
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
  model.lanes = words.lanes != 0 ? words.lanes : routing_lanes;
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

SimResult run(const sim::Setup& setup, const SimWords& words, const sim::OpenTraffic& traffic,
              const Progress& progress) {
  SimResult result;
  if (words.loads.empty()) {
    result.saturation = sim::find_saturation(setup, traffic, 0.01, words.threads, progress);
    result.points = std::move(result.saturation->points);
    return result;
  }
  result.points = sim::run_sweep(setup, traffic, words.loads, words.threads, progress);
  if (std::is_sorted(words.loads.begin(), words.loads.end())) {
    result.saturation = sim::saturation_on_grid(result.points);
  }
  return result;
}

struct Simulated {
  Printed printed;
  std::string svg;
  std::vector<std::vector<double>> use;  // of each point, by channel
};

Simulated simulated(const FabricValue& fabric, const Routes& routes, const SimWords& words,
                    const Progress& progress) {
  const Fabric& of = fabric.model->fabric();
  if (fabric.model->adapters().size() < 2) {
    throw InputError("the fabric has fewer than two hosts that count");
  }
  if (words.cycles < 100 || words.cycles > 1'000'000'000'000) {
    throw InputError("cycles: expected 100 to 1000000000000");
  }
  for (const double load : words.loads) {
    if (!(load > 0 && load <= 1)) {
      throw InputError(fmt::format("load {}: expected above 0, and 1 at most", load));
    }
  }
  ResolvedRouting chosen;
  if (!words.adaptive) chosen = resolved(fabric, routes, words.seed, words.threads);
  const bool closed = chosen.closed_form != nullptr;
  const unsigned lanes = words.adaptive || closed ? 1 : chosen.routing.lanes.count;
  const sim::Model model = model_of(words, lanes);
  const sim::Network network = sim::make_network(of, model, fabric.model->adapters());
  const sim::Routes ways =
      words.adaptive ? sim::Routes::adaptive(network)
      : closed ? sim::Routes::by_paths(network, *chosen.closed_form, &*fabric.model->whole_tree())
               : sim::Routes::by_tables(network, chosen.routing);
  ways.check_terminals(of);
  Traffic matrix;
  sim::OpenTraffic traffic;
  if (words.traffic != "uniform") {
    const Schedule schedule = make_traffic(words.traffic, AdapterNames(*fabric.model), words.seed);
    if (schedule.stages != 1) {
      throw InputError(
          fmt::format("traffic {} has {} stages, expected one", words.traffic, schedule.stages));
    }
    matrix = schedule.stage(0);
    traffic.matrix = &matrix;
  }
  traffic.message_flits = words.message_flits != 0 ? words.message_flits : model.packet_flits;
  traffic.switch_message_flits = traffic.message_flits;
  traffic.cycles = words.cycles;
  const SimResult result =
      run({network, model, ways, choice_of(words.paths), words.seed}, words, traffic, progress);
  Simulated all{{sim_json(of, network, result), sim_text(of, network, result)},
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
                   const py::object& tell) {
  Simulated all = apart(
      tell, [=](const Progress& progress) { return simulated(fabric, routes, words, progress); });
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
