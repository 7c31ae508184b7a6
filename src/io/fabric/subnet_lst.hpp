// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// opensm-subnet.lst: one line per end of each cable, as OpenSM dumps it for ibdm.
//
//   { CA Ports:01 SystemGUID:… NodeGUID:… PortGUID:… VenID:… DevID:… Rev:… {H0} LID:0001 PN:01 }
//   { SW … } PHY=4x LOG=ACT SPD=10                                        (all on one line)
//
// Numbers are hexadecimal except the speed, in Gb/s per lane: 10 is QDR, or FDR10; lists of old
// tools have none. Nodes without a cable, LMC and the kind of port 0 are missing. ibdiagnet2.lst
// has the same lines, each cable once, within comments. Lines that do not begin with '{' are
// skipped: lists are often pasted with prompts and messages around them.

#include "io/base/input.hpp"
#include "io/fabric/load_fabric.hpp"

namespace fatwood {

bool looks_like_subnet_lst(std::string_view head);
LoadedFabric read_subnet_lst(Input& input);

}  // namespace fatwood
