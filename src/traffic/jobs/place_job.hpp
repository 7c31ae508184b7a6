// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Places a job: finds the ports of its hosts that carry its traffic.
//
// The adapters of a host are those of topology/hosts/job_adapters.hpp. A host with fewer adapters
// than the others uses its own again from the first (`narrow`).

#include <vector>

#include "topology/hosts/job_adapters.hpp"
#include "topology/hosts/rails.hpp"
#include "topology/model.hpp"
#include "traffic/jobs/job_ranks.hpp"

namespace fatwood {

struct PlacedHosts {
  std::vector<Host> hosts;   // in rank order
  std::uint32_t nics = 0;    // per host
  std::vector<Adapter> at;   // [host][adapter], by endpoint
  std::vector<Host> narrow;  // hosts with fewer adapters than `nics`
};

// `nics`: adapters used per host, from the first; 0: as many as the host with the most has.
// InputError, with the name, for a host without a connected adapter.
PlacedHosts place_hosts(const Model& model, std::vector<Host> hosts, std::uint32_t nics = 0);

}  // namespace fatwood
