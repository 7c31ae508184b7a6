// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The VL of each SL, from OpenSM's dump of the SL-to-VL tables of switches:
//
//   Switch 0x0020000000000000, base LID 2, "S0"
//   #in out : 0  1  2  3 ...                     levels
//   0   1   : 0  1  2  3 ...                     lanes, from port 0 to port 1
//
// or from the slvl of ibdmchk and ibdiagnet2, one hexadecimal digit per SL:
//
//   0x0020000000000000 0 1 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xef
//
// Channel adapters have the same lines, which are skipped: their channels are in no cycle. So are
// ports without a cable. If all rows between switches are equal, they give the VL of each SL.
// Otherwise packets change VLs on their path, and every pair of ports must have a row.

#include <ostream>
#include <string>
#include <string_view>

#include "routing/tables/lane_map.hpp"
#include "routing/tables/routing.hpp"

namespace fatwood {

class Input;

struct Sl2vl {
  LaneOfSl same{};  // on all channels between switches, if `map` is empty
  LaneMap map;      // if they differ
};

bool looks_like_sl2vl(std::string_view head);

// SLs missing in a file with only one table keep their number. InputError with line and column for
// an unknown switch or port, or a VL above 15; with names for ports without a row.
Sl2vl read_sl2vl(Input& input, const Fabric& fabric);
Sl2vl load_sl2vl(const std::string& path, const Fabric& fabric);

// In OpenSM's format.
void write_sl2vl(std::ostream& out, const Fabric& fabric, const LaneMap& map);

// Converts lanes that were read as SLs to the VLs that they use on all channels.
Lanes take_lanes(const LaneOfSl& lane_of, Lanes levels);

}  // namespace fatwood
