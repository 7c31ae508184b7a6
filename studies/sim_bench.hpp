// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A simulation that owns its fabric: what the flit-level studies share.

#include <memory>
#include <string>

#include "routing/engine.hpp"
#include "studies/study.hpp"
#include "tasks/simulate.hpp"

namespace fatwood {

struct OwnedModel {
  Model owned;
};
struct SimBench : private OwnedModel, Simulation {
  // By the name of an engine or of an algebraic routing.
  SimBench(Fabric fabric, const std::string& by, const RouteOptions& route, Prefer prefer,
           const SimulationOptions& options)
      : OwnedModel{Model(std::move(fabric))},
        Simulation(owned, resolve_routing(owned, by, route, prefer), options) {}

  const Routing& tables() const { return routing->routing; }
};

// The algebraic routing of a complete tree.
std::unique_ptr<SimBench> bench_algebraic(
    const std::string& spec, const std::string& routing, const sim::Model& model,
    std::uint64_t seed, sim::PathChoice choice = sim::PathChoice::kRoundRobinPerPacket);
// An engine's tables, with `more_lanes` above those that they need.
std::unique_ptr<SimBench> bench_engine(Fabric fabric, const std::string& engine,
                                       const sim::Model& model, unsigned more_lanes,
                                       const RouteOptions& options);

}  // namespace fatwood
