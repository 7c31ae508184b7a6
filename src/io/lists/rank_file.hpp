// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A rank order as launchers read it: what `fatwood job` writes, read back.
//
//   rankfile of Open MPI     rank 0=hostA slot=0        ranks from 0, one per line
//   hostfile of Open MPI     hostA slots=8
//   machinefile of MPICH     hostA:8
//   SLURM_HOSTFILE           hostA, one a task
//   plain                    host lists, each host once
// '#' starts a comment. Ranks of a host stand side by side, and every host has as many: jobs are
// placed host by host.

#include <cstdint>
#include <string>
#include <vector>

#include "topology/hosts/hosts.hpp"

namespace fatwood {

struct RankOrder {
  std::vector<Host> hosts;  // in rank order
  std::uint32_t ranks = 0;  // of a host; 0: the file has none
  std::size_t last_line = 0;
  std::string warning;  // of hosts that are not in the fabric: they are left out
};

// InputError if no host is known, with the line of a host that comes again, a rank out of order,
// or a host with another number of ranks.
RankOrder read_rank_file(const Fabric& fabric, const Hosts& hosts, const std::string& path);

}  // namespace fatwood
