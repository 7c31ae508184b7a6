// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Forwarding tables as OpenSM writes and reads them. Three kinds of text, recognised by the first
// lines:
//
//   opensm-lfts.dump   Unicast lids [0-36] of switch Lid 2 guid 0x0020000100000000 ('S1_0'):
//                      0x0001 001 # Channel Adapter portguid 0x0010000000000001: 'H0'
//                      36 lids dumped
//   dump_fts, ibroute  Unicast lids [0x0-0x24] of switch Lid 17 guid 0x0020000200000005 (S2_5):
//                      0x0001 003 : (Channel Adapter portguid 0x0010000000000001: 'H0')
//   opensm.fdbs        dump_ucast_routes: Switch 0x0020000100000000
//                      0x0001 : 001  : 01   : yes              (or UNREACHABLE)
//
// The last also as ibdiagnet2.fdbs: with osm_ucast_mgr_ in front, PLFT_NUM: 0 before the rows, and
// hops that mean nothing.
//
// An address without a line in a whole section, or with port 255, has no route. `opensm -R file -U
// FILE` reads the first two.

#include <ostream>
#include <string_view>

#include "io/base/input.hpp"
#include "io/tables/lid_tables.hpp"
#include "routing/tables/lids.hpp"
#include "routing/tables/routing.hpp"

namespace fatwood {

bool looks_like_lfts(std::string_view head);

// Reads one pass, a byte of memory for each (named LID, switch), and adds to the rows: a fabric's
// tables can be in several files, as ibroute has one switch. Switches are found by GUID; what does
// not fit the fabric is left out with a warning that counts and names the first.
//
// A section is cut short when a tool's error message is in it, when it has no line "lids dumped"
// although others have one or its highest LID is not there, when that line counts more valid LIDs
// than there are, or when the file ends within a line. LIDs after the last are then unknown if it
// does not list them. Sections of fdbs list all: LIDs after the last are unknown.
void read_lfts(Input& input, LidRows& rows, Warnings& warnings);

// The dump that `opensm -R file -U` reads: a section for each switch, LIDs in order; addresses
// without a route have no line.
void write_lfts(std::ostream& out, const Fabric& fabric, const ForwardingTables& tables,
                const Lids& lids);

}  // namespace fatwood
