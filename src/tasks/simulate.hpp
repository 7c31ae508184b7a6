// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A simulation: routes on the simulator's network, with as many lanes as they need, and open
// traffic at some loads or up to saturation.

#include <optional>
#include <string>
#include <vector>

#include "routing/resolve.hpp"
#include "sim/run.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct SimulationOptions {
  sim::Model switches = {};  // its number of lanes is set here:
  unsigned lanes = 0;        // 0: as many as the routing needs,
  unsigned more_lanes = 0;   // and so many more: the highest service level of the traffic
  sim::PathChoice choice = sim::PathChoice::kRoundRobinPerPacket;
  std::uint64_t seed = 1;
};

// All that a run refers to; it must live as long as the runs, and the model longer.
struct Simulation {
  // No routing: switches choose the least queue of all shortest paths.
  Simulation(const Model& model, std::optional<ResolvedRouting> routing,
             const SimulationOptions& options);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  const Fabric& fabric() const { return model.fabric(); }
  // For runs on so many threads; 0: all cores.
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
  std::vector<double> loads = {};   // shares of what a host can send; empty: search for saturation
  std::string traffic = "uniform";  // or a pattern of one stage
  sim::OpenTraffic open = {.message_flits = 0};  // 0: a packet; the matrix is that of `traffic`
  int threads = 0;
  Share share = {};
  Progress progress = {};
};

struct SimResult {
  std::vector<sim::Point> points;
  std::optional<sim::Saturation> saturation;  // without its points, which are those above
};

// InputError for options out of range, or fewer than two hosts that count.
SimResult simulate_loads(const Simulation& simulation, SweepOptions options);

struct CollectiveOptions {
  std::string collective;            // a pattern of make_traffic, or "shift"
  bool shuffled = false;             // ranks on hosts at random
  std::vector<std::uint64_t> sizes;  // bytes of a message; each is a run
  std::size_t stages = 0;            // simulate so many, evenly spread; 0: all
  sim::Pace pace = sim::Pace::kAfterSent;
  std::uint8_t service_level = 0;
  int threads = 0;
  Share share = {};
  Progress progress = {};
};

struct CollectivePoint {
  std::uint64_t message_bytes = 0;  // 0: a trace
  sim::CollectiveResult result;
};

std::vector<CollectivePoint> simulate_collective(const Simulation& simulation,
                                                 const CollectiveOptions& options);

// Of so many bytes, the last one perhaps not full.
std::uint64_t flits_of(std::uint64_t bytes, const sim::Model& switches);

}  // namespace fatwood
