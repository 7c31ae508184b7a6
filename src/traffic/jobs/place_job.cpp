// SPDX-License-Identifier: BSD-3-Clause
#include "traffic/jobs/place_job.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace fatwood {

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
