// SPDX-License-Identifier: BSD-3-Clause
#include "topology/hosts/job_places.hpp"

#include <algorithm>
#include <vector>

#include "topology/hosts/rails.hpp"
#include "topology/hosts/roles.hpp"

namespace fatwood {

JobPlaces job_places(const Model& model, std::span<const Terminal> first) {
  const Fabric& fabric = model.fabric();
  std::vector<Host> listed;
  for (const Terminal t : first) {
    const Host host = model.hosts().hosts.of(fabric.adapter_node(t));
    if (host != kNone<Host>) listed.push_back(host);
  }
  const HostOrder order = given_host_order(model, listed, "");
  JobPlaces places{.of = Table<Terminal, JobPlace>(fabric.num_terminals())};
  for (const std::vector<Adapter>& adapters : order.adapters) {
    std::uint32_t rail = 0;
    bool any = false;
    for (const Adapter adapter : adapters) {
      for (const Terminal t : model.adapters().terminals(adapter)) {
        if (model.roles().of(adapter) == Role::kCompute) {
          places.of[t] = {places.hosts, rail};
          any = true;
        }
        ++rail;
      }
    }
    if (!any) continue;
    ++places.hosts;
    places.rails = std::max(places.rails, rail);
  }
  return places;
}

}  // namespace fatwood
