// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/random.hpp"
#include "core/share_out.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {
namespace {

unsigned lanes_of(const std::optional<ResolvedRouting>& routing) {
  return !routing || routing->algebraic ? 1 : std::max(1U, unsigned{routing->routing.lanes.count});
}

sim::Model with_lanes(sim::Model switches, const SimulationOptions& options, unsigned needed) {
  if (options.more_lanes + needed > sim::kServiceLevels) {
    throw InputError(fmt::format("service level {} with a routing of {} lanes: more than {} levels",
                                 options.more_lanes, needed, sim::kServiceLevels));
  }
  switches.lanes =
      options.lanes != 0 ? options.lanes : std::min(needed + options.more_lanes, sim::kMaxLanes);
  return switches;
}

sim::Routes routes_of(const Model& model, const std::optional<ResolvedRouting>& routing,
                      const sim::Network& network) {
  if (!routing) return sim::Routes::adaptive(network);
  if (!routing->algebraic) return sim::Routes::by_tables(network, routing->routing);
  return sim::Routes::by_paths(network, *routing->algebraic, &*model.complete_tree());
}

}  // namespace

Simulation::Simulation(const Model& of, std::optional<ResolvedRouting> by,
                       const SimulationOptions& options)
    : model(of),
      routing(std::move(by)),
      routing_lanes(lanes_of(routing)),
      switches(with_lanes(options.switches, options, routing_lanes)),
      network(sim::make_network(of.fabric(), switches, of.adapters())),
      routes(routes_of(of, routing, network)),
      choice(options.choice),
      seed(options.seed) {}

SimResult simulate_loads(const Simulation& simulation, SweepOptions options) {
  constexpr std::int64_t kMostCycles = 1'000'000'000'000;
  sim::OpenTraffic& open = options.open;
  if (open.cycles < 100 || open.cycles > kMostCycles) {
    throw InputError(fmt::format("cycles {}: expected 100 to {}", open.cycles, kMostCycles));
  }
  if (!(open.switch_load >= 0 && open.switch_load <= 1)) {
    throw InputError(fmt::format("switch load {}: expected 0 to 1", open.switch_load));
  }
  for (const double load : options.loads) {
    if (load > 0 && load <= 1) continue;
    throw InputError(fmt::format("load {}: expected above 0, and 1 at most", load));
  }
  if (simulation.model.adapters().size() < 2) {
    throw InputError("the fabric has fewer than two hosts that count");
  }
  Traffic matrix;
  if (options.traffic != "uniform") {
    const Schedule schedule =
        make_traffic(options.traffic, AdapterNames(simulation.model), simulation.seed);
    if (schedule.stages != 1) {
      throw InputError(
          fmt::format("traffic {} has {} stages, expected one", options.traffic, schedule.stages));
    }
    matrix = schedule.stage(0);
    open.matrix = &matrix;
  }
  if (open.message_flits == 0) open.message_flits = simulation.switches.packet_flits;
  open.switch_message_flits = open.message_flits;
  SimResult result;
  if (options.loads.empty()) {
    result.saturation = sim::find_saturation(simulation.setup(), open, 0.01, options.threads,
                                             options.progress, options.share);
    result.points = std::move(result.saturation->points);
    return result;
  }
  result.points = sim::run_sweep(simulation.setup(), open, options.loads, options.threads,
                                 options.progress, options.share);
  if (std::is_sorted(options.loads.begin(), options.loads.end())) {
    result.saturation = sim::saturation_on_grid(result.points);
  }
  return result;
}

std::uint64_t flits_of(std::uint64_t bytes, const sim::Model& switches) {
  return (bytes + switches.flit_bytes - 1) / switches.flit_bytes;
}

namespace {

// Ranks on hosts: in order, or at random.
Schedule placed(const Simulation& simulation, const CollectiveOptions& options) {
  const Model& model = simulation.model;
  const std::string name = options.collective == "shift" ? "shifts" : options.collective;
  Schedule schedule = make_traffic(name, AdapterNames(model), simulation.seed);
  if (!options.shuffled) return schedule;
  const std::size_t hosts = model.adapters().size();
  Random random(simulation.seed, 0, 3);
  std::vector<Adapter> at;
  for (const std::uint32_t t : random.permutation(static_cast<std::uint32_t>(hosts))) {
    at.push_back(static_cast<Adapter>(t));
  }
  return place(std::move(schedule), std::move(at), hosts);
}

}  // namespace

std::vector<CollectivePoint> simulate_collective(const Simulation& simulation,
                                                 const CollectiveOptions& options) {
  const Schedule schedule = placed(simulation, options);
  // The largest take longest: they go first.
  const auto size = [&](std::size_t item) {
    return options.sizes[options.sizes.size() - 1 - item];
  };
  const sim::Setup setup = simulation.setup(threads_of_each(options.sizes.size(), options.threads));
  std::vector<sim::CollectiveResult> results = share_out(
      options.share, options.sizes.size(), options.threads, [&](std::size_t item, int thread) {
        return sim::run_lists(setup,
                              sim::stage_lists(simulation.network, schedule,
                                               {flits_of(size(item), simulation.switches),
                                                options.stages, options.service_level}),
                              options.pace, thread == 0 ? options.progress : Progress{});
      });
  std::vector<CollectivePoint> points;
  for (std::size_t item = results.size(); item-- > 0;) {
    points.push_back({size(item), std::move(results[item])});
  }
  return points;
}

}  // namespace fatwood
