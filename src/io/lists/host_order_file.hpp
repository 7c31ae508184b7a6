// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The order of hosts from a file:
//
//   names            host lists as in host_list.hpp ("luna-[0001-0020]"), each host once
//   topology.conf    of Slurm: the hosts of each SwitchName (or BlockName) line with Nodes=, in
//                    order of lines. A host of several lines counts on the last one, as Slurm ranks
//                    it. Keys are case-insensitive; other lines are ignored
//
// A file is of Slurm if its first line that is not a comment begins with SwitchName= or BlockName=.

#include <string>

#include "io/lists/host_list.hpp"

namespace fatwood {

// InputError with file and line if no host is known, or if a list names a host twice.
KnownHosts read_host_order(const Fabric& fabric, const Hosts& hosts, const std::string& path);

}  // namespace fatwood
