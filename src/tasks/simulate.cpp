// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/simulate.hpp"

#include <algorithm>

namespace fatwood {
namespace {

unsigned lanes_of(const std::optional<ResolvedRouting>& routing) {
  return !routing || routing->closed_form ? 1
                                          : std::max(1U, unsigned{routing->routing.lanes.count});
}

sim::Model with_lanes(sim::Model switches, const SimulationOptions& options, unsigned needed) {
  switches.lanes =
      options.lanes != 0 ? options.lanes : std::min(needed + options.more_lanes, sim::kMaxLanes);
  return switches;
}

sim::Routes routes_of(const Model& model, const std::optional<ResolvedRouting>& routing,
                      const sim::Network& network) {
  if (!routing) return sim::Routes::adaptive(network);
  if (!routing->closed_form) return sim::Routes::by_tables(network, routing->routing);
  return sim::Routes::by_paths(network, *routing->closed_form, &*model.whole_tree());
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

}  // namespace fatwood
