// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Converts traffic between adapters into flows between ports: an adapter with several ports uses
// all of them (Adapters::port_pairs). Cost: O(flows * pairs of ports).

#include <vector>

#include "topology/adapters.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

struct PortFlow {
  Terminal source;
  Terminal destination;
  double units;  // of Traffic::units_in_one
};

inline std::vector<PortFlow> port_flows(const Adapters& adapters, const Traffic& traffic) {
  std::vector<PortFlow> result;
  for (const Flow& flow : traffic.flows) {
    const auto pairs = adapters.port_pairs(flow.source, flow.destination);
    const double units = static_cast<double>(flow.units) / static_cast<double>(pairs.size());
    for (const auto& [from, to] : pairs) result.push_back({from, to, units});
  }
  return result;
}

}  // namespace fatwood
