// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/job_flits.hpp"

#include <algorithm>
#include <cmath>

#include "sim/engine/routes.hpp"

namespace fatwood::cli {
namespace {

constexpr std::uint32_t kPacketFlits = 64;  // of 64 bytes
constexpr std::uint32_t kBufferPackets = 16;

sim::Model flit_model(const Fabric& fabric, const ResolvedRouting& routing,
                      const std::vector<double>& capacity) {
  sim::Model model;
  model.packet_flits = kPacketFlits;
  model.input_flits = model.output_flits = kPacketFlits * kBufferPackets;
  model.lanes = routing.closed_form ? 1 : std::max(1U, unsigned{routing.routing.lanes.count});
  model.speeds.resize(fabric.num_channels());
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    model.speeds[c] = static_cast<std::uint32_t>(std::llround(capacity[index(c)] * 8 / 1e6));
  }
  return model;
}

}  // namespace

sim::FlitRun run_flits(const Model& model, const ResolvedRouting& routing,
                       const std::vector<double>& capacity, const std::vector<PlacedJob>& jobs,
                       const Session& session) {
  const sim::Model flit = flit_model(model.fabric(), routing, capacity);
  const sim::Network network = sim::make_network(model.fabric(), flit, model.adapters());
  const sim::Routes routes =
      routing.closed_form
          ? sim::Routes::by_paths(network, *routing.closed_form, &*model.whole_tree())
          : sim::Routes::by_tables(network, routing.routing);
  const sim::Setup setup{network, flit, routes, sim::PathChoice::kRoundRobinPerPacket,
                         session.seed};
  std::vector<sim::FlitProgram> programs;
  for (const PlacedJob& job : jobs) programs.push_back({&job.program, job.at, jobs.size() > 1});
  return sim::run_programs(setup, programs, {}, terminal_progress("flits"));
}

}  // namespace fatwood::cli
