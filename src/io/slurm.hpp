// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Slurm's topology.conf (plug-in topology/tree). Write-only.
//
//   SwitchName=leaf1 Nodes=node[1-12,14]
//   SwitchName=spine1 Switches=leaf[1-18]
//
// A leaf switch lists its hosts, any other the switches one level or more below that it has cables
// to. On purpose:
// - a host is written once, under the leaf that has most of its ports (the first on a tie), as
//   Slurm wants it, even when it has ports on eight leaves;
// - hosts on a switch above the leaves go to a made-up leaf NAME.hosts below it, because a switch
//   can't have both Nodes and Switches;
// - aggregation nodes are no hosts;
// - a switch with no host below it is left out: Slurm refuses switches without children;
// - horizontal cables are left out, since Slurm's tree has no place for them;
// - a switch is called by its id unless it has a description of one word that no other has; a host
//   by the first word of a description of the form "name device", else by its adapter's id.

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "topology/levels.hpp"

namespace fatwood {

struct SlurmSwitch {
  std::string name;
  std::vector<std::string> nodes;     // of a leaf
  std::vector<std::string> switches;  // of any other
};

std::vector<SlurmSwitch> slurm_switches(const Fabric& fabric, const Levels& levels);
void write_slurm(std::ostream& out, const Fabric& fabric, const Levels& levels);

// {"n1", "n2", "n3", "n7", "x"} -> "n[1-3,7],x": numbers with leading zeros keep their width.
std::string hostlist(std::span<const std::string> names);
// The inverse. InputError when brackets don't match or a range has more than a million names.
std::vector<std::string> expand_hostlist(const std::string& list);

}  // namespace fatwood
