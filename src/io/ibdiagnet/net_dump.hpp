// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// ibdiagnet2.net_dump: a block for each switch, a row for each of its ports.
//
//   "leaf1", Mellanox, 0x0000000000001001, LID 1
//     #     : IB# : Sta : PhysSta : LWA : LSA : ... : Neighbor Guid      : N#    : NLID : ...
//     1/1/1 : 1   : ACT : LINK UP : 4x  : 100 : ... : 0x0000000000002001 : 1/2/1 : 3    : ...
//
// The titles identify the columns. The last one, the neighbour's description in quotes, may contain
// colons. # and N# are the labels of the two ports. If the neighbour is a switch, its port is found
// by the label in its own block. End nodes have no block: their port is the number at the end of
// the label ("1", "B184D0F0/0/0/1"), or 1, and their number of ports is guessed from it. Which node
// a second port of an adapter belongs to is not given.

#include "io/base/input.hpp"
#include "io/fabric/load_fabric.hpp"

namespace fatwood {

bool looks_like_net_dump(std::string_view head);
LoadedFabric read_net_dump(Input& input);

}  // namespace fatwood
