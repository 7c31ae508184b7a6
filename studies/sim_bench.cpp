// SPDX-License-Identifier: BSD-3-Clause
#include "studies/sim_bench.hpp"

#include "io/fabric/spec.hpp"

namespace fatwood {

std::unique_ptr<SimBench> bench_algebraic(const std::string& spec, const std::string& routing,
                                          const sim::Model& model, std::uint64_t seed,
                                          sim::PathChoice choice) {
  RouteOptions route;
  route.seed = seed;
  return std::make_unique<SimBench>(
      make_fabric(spec), routing, route, Prefer::kClosedForm,
      SimulationOptions{.switches = model, .choice = choice, .seed = seed});
}

std::unique_ptr<SimBench> bench_engine(Fabric fabric, const std::string& engine,
                                       const sim::Model& model, unsigned more_lanes,
                                       const RouteOptions& options) {
  return std::make_unique<SimBench>(
      std::move(fabric), engine, options, Prefer::kTables,
      SimulationOptions{.switches = model, .more_lanes = more_lanes, .seed = options.seed});
}

}  // namespace fatwood
