// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A rank order in the formats of launchers, as `fatwood job` writes them.
//
//   rankfile of Open MPI     rank 0=hostA slot=0        ranks from 0, one per line
//   hostfile of Open MPI     hostA slots=8
//   machinefile of MPICH     hostA:8
//   SLURM_HOSTFILE           hostA, one per task
//   plain                    host lists, each host once
// '#' starts a comment. The ranks of a host are consecutive, and all hosts have equally many,
// because jobs are placed host by host.

#include <cstdint>
#include <string>
#include <vector>

#include "topology/hosts/hosts.hpp"

namespace fatwood {

struct RankOrder {
  std::vector<Host> hosts;  // in rank order
  std::uint32_t ranks = 0;  // per host; 0: not in the file
  std::size_t last_line = 0;
  std::string warning;  // about hosts that are not in the fabric: they are left out
};

// InputError if no host is known; with the line, if a host is repeated, a rank is out of order, or
// a host has another number of ranks.
RankOrder read_rank_file(const Fabric& fabric, const Hosts& hosts, const std::string& path);

}  // namespace fatwood
