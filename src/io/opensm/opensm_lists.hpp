// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Root, compute and I/O nodes in the form that OpenSM's own ftree expects.
//
// Its rules (3.3.23): the roots have rank 0, every other switch its distance to the nearest root;
// all compute nodes hang on switches of one rank, 1 at least; an adapter's ports after its first
// compute node count as compute nodes too. One that breaks a rule and ftree gives way to minhop.
// Method: roots are the switches of the highest level; the rank that has the most hosts of leaf
// switches is the leaves' one; compute nodes are the hosts there, without adapters that would bring
// a port elsewhere along. All other hosts are I/O nodes: ftree routes them after the others.
// Cost: O(ports).

#include <vector>

#include "topology/levels/levels.hpp"

namespace fatwood {

struct OpensmLists {
  std::vector<Switch> roots;      // for -a
  std::vector<Terminal> compute;  // for -u; empty if ftree takes no list at all
  std::vector<Terminal> io;       // for -G
};

OpensmLists opensm_lists(const Fabric& fabric, const Levels& levels);

}  // namespace fatwood
