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
// ibdiagnet2.fdbs is the last one with osm_ucast_mgr_ in front, PLFT_NUM: 0 before the rows, and
// meaningless hops.
//
// An address has no route if it has port 255, or no line in a complete section. `opensm -R file -U
// FILE` reads the first two.

#include <ostream>
#include <string_view>

#include "io/base/input.hpp"
#include "io/tables/lid_tables.hpp"
#include "routing/tables/lids.hpp"
#include "routing/tables/routing.hpp"

namespace fatwood {

bool looks_like_lfts(std::string_view head);

// Reads in one pass, with one byte of memory per (named LID, switch), and adds to the rows: the
// tables of a fabric can be in several files, such as one file of ibroute per switch. Switches are
// found by GUID. Parts that do not fit the fabric are left out, with a warning that counts them and
// names the first.
//
// A section is truncated if
// - an error message of a tool is in it,
// - it has no line "lids dumped", although others have one or its highest LID is missing,
// - that line counts more valid LIDs than there are, or
// - the file ends within a line.
// LIDs after the last one are then unknown if the section does not list them. Sections of fdbs list
// all LIDs, so LIDs after the last one are unknown.
void read_lfts(Input& input, LidRows& rows, Warnings& warnings);

// The dump that `opensm -R file -U` reads: one section per switch, LIDs in order. Addresses without
// a route have no line.
void write_lfts(std::ostream& out, const Fabric& fabric, const ForwardingTables& tables,
                const Lids& lids);

}  // namespace fatwood
