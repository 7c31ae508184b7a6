// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sets up and runs simulations: routes on the simulator's network, with as many lanes as they need,
// and open traffic at given loads or up to saturation, or collectives.

#include <optional>
#include <string>
#include <vector>

#include "routing/resolve.hpp"
#include "sim/run.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct SimulationOptions {
  sim::Model switches = {};  // its number of lanes is computed from `lanes` and `more_lanes`
  unsigned lanes = 0;        // 0: as many as the routing needs
  unsigned more_lanes = 0;   // additional lanes: the highest service level of the traffic
  sim::PathChoice choice = sim::PathChoice::kRoundRobinPerPacket;
  std::uint64_t seed = 1;
};

// Everything that runs refer to. It must outlive the runs; the model must outlive it.
struct Simulation {
  // Without a routing, switches choose the shortest queue among all shortest paths.
  Simulation(const Model& model, std::optional<ResolvedRouting> routing,
             const SimulationOptions& options);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  const Fabric& fabric() const { return model.fabric(); }
  // For runs on this many threads; 0: all cores.
  sim::Setup setup(int threads = 1) const {
    return {network, switches, routes, choice, seed, threads};
  }

  const Model& model;
  const std::optional<ResolvedRouting> routing;
  const unsigned routing_lanes;
  const sim::Model switches;
  const sim::Network network;
  sim::Routes routes;
  const sim::PathChoice choice;
  const std::uint64_t seed;
};

struct SweepOptions {
  std::vector<double> loads = {};   // relative to what a host can send; empty: find saturation
  std::string traffic = "uniform";  // or a pattern with one stage
  sim::OpenTraffic open = {.message_flits = 0};  // 0: one packet; its matrix is that of `traffic`
  int threads = 0;
  WorkShare share = {};
  Progress progress = {};
};

struct SimResult {
  std::vector<sim::Point> points;
  std::optional<sim::Saturation> saturation;  // its points are in `points`
};

// InputError for options out of range, or fewer than two counted hosts.
SimResult simulate_loads(const Simulation& simulation, SweepOptions options);

struct CollectiveOptions {
  std::string collective;            // a pattern of make_traffic, or "shift"
  bool shuffled = false;             // ranks on random hosts
  std::vector<std::uint64_t> sizes;  // bytes of a message; each is a run
  std::size_t stages = 0;            // simulate this many, evenly spread; 0: all
  sim::Pace pace = sim::Pace::kAfterSent;
  std::uint8_t service_level = 0;
  int threads = 0;
  WorkShare share = {};
  Progress progress = {};
};

struct CollectivePoint {
  std::uint64_t message_bytes = 0;  // 0: a trace
  sim::CollectiveResult result;
};

std::vector<CollectivePoint> simulate_collective(const Simulation& simulation,
                                                 const CollectiveOptions& options);

// The number of flits of a message; the last one may be partly filled.
std::uint64_t flits_of(std::uint64_t bytes, const sim::Model& switches);

}  // namespace fatwood
