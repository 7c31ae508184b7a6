// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Root, compute and I/O nodes in the form that OpenSM's own ftree expects.
//
// Its rules (3.3.23): roots have rank 0, every other switch its distance to the nearest root. All
// compute nodes are on switches of one rank, at least 1. The ports of an adapter after its first
// compute node also count as compute nodes. If one node breaks a rule, OpenSM uses minhop instead.
// Method: roots are the switches of the highest level. The rank with the most hosts of leaf
// switches is that of the leaves. Compute nodes are the hosts there, except adapters with a port
// elsewhere. All other hosts are I/O nodes, which ftree routes after the others. Cost: O(ports).
//
// GUID files have one line "0x0008f10500200b50" per node (roots: node GUIDs, for -a) or port
// (compute and I/O nodes: port GUIDs, for -u and -G). node_list.hpp reads them.

#include <ostream>
#include <span>
#include <vector>

#include "topology/fabric.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood {

struct OpensmLists {
  std::vector<Switch> roots;      // for -a
  std::vector<Terminal> compute;  // for -u; empty if no list would be accepted
  std::vector<Terminal> io;       // for -G
};

OpensmLists opensm_lists(const Fabric& fabric, const Levels& levels);

void write_guids(std::ostream& out, const Fabric& fabric, std::span<const Switch> switches);
void write_guids(std::ostream& out, const Fabric& fabric, std::span<const Terminal> terminals);

}  // namespace fatwood
