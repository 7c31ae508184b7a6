// SPDX-License-Identifier: BSD-3-Clause
#include "traffic/jobs/place_job.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace fatwood {

std::vector<Adapter> job_adapters(const Model& model, Host m) {
  const Fabric& fabric = model.fabric();
  const Rails& rails = model.hosts().rails;
  const bool by_rail = rails.any() && rails.member_of[m] != kNone<ScalableUnit>;
  std::vector<std::pair<Rail, Adapter>> found;
  bool named = true;
  for (const Terminal t : terminals_of(fabric, model.hosts().hosts, m)) {
    const Adapter adapter = model.adapters().of(t);
    const Rail rail = rails.rail(fabric, t);
    if (adapter == kNone<Adapter> || (by_rail && rail == kNone<Rail>)) continue;
    if (!found.empty() && found.back().second == adapter) continue;  // a card of several ports
    found.emplace_back(rail, adapter);
    named = named && described_adapter(fabric.description(fabric.adapter_node(t))).device.known();
  }
  // In order of devices, as NCCL numbers them.
  if (by_rail && !named) std::stable_sort(found.begin(), found.end());
  std::vector<Adapter> adapters;
  for (const auto& [rail, adapter] : found) adapters.push_back(adapter);
  return adapters;
}

PlacedHosts place_hosts(const Model& model, std::vector<Host> hosts, std::uint32_t nics) {
  PlacedHosts placed;
  std::vector<std::vector<Adapter>> adapters;
  std::size_t most = 0;
  for (const Host m : hosts) {
    adapters.push_back(job_adapters(model, m));
    if (adapters.back().empty()) {
      throw InputError(fmt::format("host {} has no connected adapter",
                                   unique_name(model.fabric(), model.hosts().hosts, m)));
    }
    most = std::max(most, adapters.back().size());
  }
  if (nics != 0) most = nics;
  placed.nics = static_cast<std::uint32_t>(most);
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    if (adapters[i].size() < most) placed.narrow.push_back(hosts[i]);
    for (std::size_t nic = 0; nic < most; ++nic) {
      placed.at.push_back(adapters[i][nic % adapters[i].size()]);
    }
  }
  placed.hosts = std::move(hosts);
  return placed;
}

}  // namespace fatwood
