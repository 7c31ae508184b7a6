// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Slurm's topology.conf (plug-ins topology/tree and topology/block) and topology.yaml. Write-only.
//
//   SwitchName=unit1 Nodes=luna-[0001-0020]        BlockName=unit1 Nodes=luna-[0001-0020]
//   SwitchName=pod1 Switches=unit[1-7]             BlockSizes=14,28,56,112,224
//
// The file describes a strict tree, because newer releases of Slurm refuse anything else. There is
// a leaf for the hosts of each leaf switch. Above it, there is one switch for each set of leaves
// that is connected below level 3, below level 4, and so on, named after its first switch of that
// level. Details:
// - On a fabric with rails the leaf is the unit, because its hosts have ports on all its leaves,
//   and Slurm wants a host once. Units are in pods if there are several pods.
// - Any other host is written once, under the leaf switch that has most of its ports (the first on
//   a tie); of a host whose adapters have different roles, the compute ones count. Hosts on a
//   switch above the leaves are under a made-up leaf NAME.hosts.
// - Disconnected components have no switch in common: a job on both could not communicate.
// - A set of one leaf gets no line of its own. Aggregation nodes are no hosts.
// - Hosts named by their position ("unit3-port5") and those with a stock name ("localhost") are
//   left out and named in a comment, because Slurm does not know them.
// - Names have only letters, digits, '.', '-' and '_', at most 63 of them, and do not end in more
//   than 18 digits, which overflow in Slurm's list reader.
//
// Blocks are the leaves of the tree, with compute hosts only (roles.hpp): one manager on a leaf of
// its own would make the base size 1. The base size is that of the smallest; it is doubled as long
// as there are as many blocks.

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "topology/model.hpp"

namespace fatwood {

struct SlurmSwitch {
  std::string name;
  std::vector<std::string> nodes;     // of a leaf
  std::vector<std::string> switches;  // of any other
};

struct SlurmTree {
  std::vector<SlurmSwitch> switches;  // leaves first, in order of ranks, then upwards
  std::vector<std::string> left_out;  // hosts without a name of their own
  std::vector<std::string> service;   // storage and service hosts that were not asked for
};

enum class SlurmHosts : std::uint8_t { kAll, kCompute };
SlurmTree slurm_tree(const Model& model, SlurmHosts which = SlurmHosts::kAll);
// The same for a file; InputError if there are hosts and none has a name of its own.
SlurmTree named_slurm_tree(const Model& model, SlurmHosts which = SlurmHosts::kAll);

void write_slurm(std::ostream& out, const Model& model);         // topology.conf, tree
void write_slurm_blocks(std::ostream& out, const Model& model);  // topology.conf, block
void write_slurm_yaml(std::ostream& out, const Model& model);    // topology.yaml, both

// A name that Slurm's readers accept.
std::string slurm_name(std::string_view text);

}  // namespace fatwood
