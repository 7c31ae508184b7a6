// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The output of ibnetdiscover, and net files of ibsim, which have the same syntax.
//
//   vendid=0x2c9                                       (any order, all optional)
//   devid=0xd2f0
//   sysimgguid=0x1c34da0300728866
//   switchguid=0x1c34da0300728866(1c34da0300728866)    node GUID (port GUID); caguid=, rtguid=
//   Switch  41 "S-1c34da0300728866"   # "description" enhanced port 0 lid 1600 lmc 0
//   [1]     "H-..."[1](port guid)     # "description" lid 837 4xHDR
//   Ca      1 "H-..."                 # "description"                     (Hca, Rt: the same)
//   [1](port guid)  "S-..."[1]        # lid 837 lmc 0 "description" lid 1600 4xHDR
//
// White space between the parts is free and may be missing. Comments have descriptions, LIDs and
// rates, and may be absent, as in hand-made ibsim files. Of ibsim's own words, `width=`, `speed=`,
// `w=`, `s=` and GUID bases (`switchguid+`) are understood; `include`, `module`, `do` and aliases
// (`@`) are refused. `ibnetdiscover -g` adds lines about chassis, which are skipped, and lists some
// switches twice.

#include <ostream>

#include "io/base/input.hpp"
#include "io/fabric/load_fabric.hpp"

namespace fatwood {

bool looks_like_ibnetdiscover(std::string_view head);
LoadedFabric read_ibnetdiscover(Input& input);

// As ibnetdiscover would print the fabric, with nodes named by GUIDs. A node with another kind of
// id gets this id as its description, if it has none. InputError if two nodes have the same GUID.
void write_ibnetdiscover(std::ostream& out, const Fabric& fabric);

// As ibsim reads it, with the nodes' own ids. Rates above QDR, which ibsim does not support, are in
// comments that it skips. Port GUIDs are those that it will assign, node GUID + port, so lists and
// tables made from the file are right inside the simulator. InputError for ids that ibsim refuses.
void write_ibsim(std::ostream& out, const Fabric& fabric);

}  // namespace fatwood
