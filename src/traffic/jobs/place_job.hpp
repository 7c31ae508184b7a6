// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Places a job: finds the ports of its hosts that carry its traffic.
//
// The adapters of a host are those on leaves of a rail, in the order of devices as NCCL numbers
// them (of rails if devices have no names). If the fabric has no rails, or the host is in no unit,
// they are all its ports. So on a host that lacks an adapter, later ones are paired with other
// rails, as in reality. A host with fewer adapters than the others reuses its own from the first;
// this is noted.

#include <vector>

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

// The adapters of one host, in order.
std::vector<Adapter> job_adapters(const Model& model, Host m);

// `nics`: adapters used per host, from the first; 0: as many as the host with the most has.
// InputError, with the name, for a host without a connected adapter.
PlacedHosts place_hosts(const Model& model, std::vector<Host> hosts, std::uint32_t nics = 0);

}  // namespace fatwood
