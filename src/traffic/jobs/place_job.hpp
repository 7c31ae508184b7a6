// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Places a job: which ports of its hosts carry its traffic.
//
// A host's adapters are those on leaves with a rail, in order of devices as NCCL numbers them (of
// rails where devices have no names); where the fabric has no rails, or the host is in no unit, all
// its ports. So a host that lacks one pairs the next with the others' rail, as it does in reality.
// A host of fewer adapters than the others uses those it has again, from the first; it is noted.

#include <string>
#include <vector>

#include "topology/hosts/rails.hpp"
#include "topology/model.hpp"
#include "traffic/jobs/job_ranks.hpp"

namespace fatwood {

struct PlacedHosts {
  std::vector<Host> hosts;   // in rank order
  std::uint32_t nics = 0;    // of each
  std::vector<Adapter> at;   // [host][adapter]: by end-point
  std::vector<Host> narrow;  // hosts with fewer adapters than `nics`
};

// The adapters of one host, in order.
std::vector<Adapter> job_adapters(const Model& model, Host m);

// InputError naming a host without a connected adapter. `nics`: so many of each host, from the
// first; 0: as many as the host with most has.
PlacedHosts place_hosts(const Model& model, std::vector<Host> hosts, std::uint32_t nics = 0);

}  // namespace fatwood
