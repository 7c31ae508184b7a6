// SPDX-License-Identifier: BSD-3-Clause
#include "traffic/jobs/place_job.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace fatwood {

std::vector<Host> job_adapters(const MachineModel& model, Machine m) {
  const Fabric& fabric = model.fabric();
  const Rails& rails = model.machines().rails;
  const bool by_rail = rails.any() && rails.member_of[m] != kNone<Unit>;
  std::vector<std::pair<Rail, Host>> found;
  bool named = true;
  for (const Terminal t : terminals_of(fabric, model.machines().machines, m)) {
    const Host host = model.hosts().host(t);
    const Rail rail = rails.rail(fabric, t);
    if (host == kNone<Host> || (by_rail && rail == kNone<Rail>)) continue;
    if (!found.empty() && found.back().second == host) continue;  // a card of several ports
    found.emplace_back(rail, host);
    named = named && described_adapter(fabric.description(fabric.adapter(t))).device.known();
  }
  // In order of devices, as NCCL numbers them.
  if (by_rail && !named) std::stable_sort(found.begin(), found.end());
  std::vector<Host> hosts;
  for (const auto& [rail, host] : found) hosts.push_back(host);
  return hosts;
}

PlacedHosts place_hosts(const MachineModel& model, std::vector<Machine> machines,
                        std::uint32_t nics) {
  PlacedHosts placed;
  std::vector<std::vector<Host>> adapters;
  std::size_t most = 0;
  for (const Machine m : machines) {
    adapters.push_back(job_adapters(model, m));
    if (adapters.back().empty()) {
      throw InputError(
          fmt::format("host {} has no connected adapter", model.machines().machines.name(m)));
    }
    most = std::max(most, adapters.back().size());
  }
  if (nics != 0) most = nics;
  placed.nics = static_cast<std::uint32_t>(most);
  for (std::size_t i = 0; i < machines.size(); ++i) {
    if (adapters[i].size() < most) placed.narrow.push_back(machines[i]);
    for (std::size_t nic = 0; nic < most; ++nic) {
      placed.at.push_back(adapters[i][nic % adapters[i].size()]);
    }
  }
  placed.machines = std::move(machines);
  return placed;
}

}  // namespace fatwood
