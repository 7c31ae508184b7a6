// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric with routes and a model, ready to be simulated: what the flit-level studies share.

#include <memory>
#include <string>

#include "routing/closed/oblivious.hpp"
#include "routing/engine.hpp"
#include "sim/run.hpp"
#include "studies/study.hpp"

namespace fatwood {

// Everything a run refers to, alive as long as the runs.
struct SimBench {
  Fabric fabric;
  ObliviousPtr closed_form;  // or
  Routing routing;
  sim::Model model;
  sim::Network network;
  std::unique_ptr<sim::Routes> routes;
  std::uint64_t seed = 1;
  sim::PathChoice choice = sim::PathChoice::kRoundRobinPerPacket;

  sim::Setup setup() const { return {network, model, *routes, choice, seed}; }
};

// The closed form of a whole tree.
std::unique_ptr<SimBench> bench_closed_form(const std::string& spec, const std::string& routing,
                                            const sim::Model& model, std::uint64_t seed);
// An engine's tables; the model gets `more_lanes` above those that the routing needs.
std::unique_ptr<SimBench> bench_engine(const std::string& spec, const std::string& engine,
                                       sim::Model model, unsigned more_lanes,
                                       const RouteOptions& options);
// The same on any fabric.
std::unique_ptr<SimBench> bench_engine(Fabric fabric, const std::string& engine, sim::Model model,
                                       unsigned more_lanes, const RouteOptions& options);

}  // namespace fatwood
