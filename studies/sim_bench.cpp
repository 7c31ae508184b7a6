// SPDX-License-Identifier: BSD-3-Clause
#include "studies/sim_bench.hpp"

#include "topology/generate/spec.hpp"

namespace fatwood {

std::unique_ptr<SimBench> bench_closed_form(const std::string& spec, const std::string& routing,
                                            const sim::Model& model, std::uint64_t seed) {
  auto bench = std::make_unique<SimBench>();
  bench->fabric = make_fabric(spec);
  bench->closed_form = make_oblivious(routing, *bench->fabric.tree(), seed).routing;
  bench->model = model;
  bench->network = sim::make_network(bench->fabric, bench->model);
  bench->routes =
      std::make_unique<sim::Routes>(sim::Routes::by_paths(bench->network, *bench->closed_form));
  bench->seed = seed;
  return bench;
}

std::unique_ptr<SimBench> bench_engine(const std::string& spec, const std::string& engine,
                                       sim::Model model, unsigned more_lanes,
                                       const RouteOptions& options) {
  return bench_engine(make_fabric(spec), engine, std::move(model), more_lanes, options);
}

std::unique_ptr<SimBench> bench_engine(Fabric fabric, const std::string& engine, sim::Model model,
                                       unsigned more_lanes, const RouteOptions& options) {
  auto bench = std::make_unique<SimBench>();
  bench->fabric = std::move(fabric);
  bench->routing = route(find_engine(engine), Model(bench->fabric), options);
  model.lanes = bench->routing.lanes.count + more_lanes;
  bench->model = std::move(model);
  bench->network = sim::make_network(bench->fabric, bench->model);
  bench->routes =
      std::make_unique<sim::Routes>(sim::Routes::by_tables(bench->network, bench->routing));
  bench->seed = options.seed;
  return bench;
}

}  // namespace fatwood
