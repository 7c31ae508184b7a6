// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The virtual lane of each service level, from OpenSM's dump of the switches' SL-to-VL tables:
//
//   Switch 0x0020000000000000, base LID 2, "S0"
//   #in out : 0  1  2  3 ...                     levels
//   0   1   : 0  1  2  3 ...                     lanes, from port 0 to port 1
//
// or from ibdmchk's and ibdiagnet2's slvl, a hexadecimal digit for each level:
//
//   0x0020000000000000 0 1 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xef
//
// and the same for channel adapters, which are skipped: what leaves them is in no cycle. So are
// ports without a cable. Where every row between switches says the same, that is the lane of a
// level; otherwise routes change lanes on their way, and every pair of ports must have a row.

#include <ostream>
#include <string>
#include <string_view>

#include "routing/tables/lane_map.hpp"
#include "routing/tables/routing.hpp"

namespace fatwood {

class Input;

struct LevelLanes {
  LaneOfLevel same{};  // on all channels between switches, when `map` is empty
  LaneMap map;         // where they differ
};

bool looks_like_sl2vl(std::string_view head);

// Levels that a file with but one table says nothing of keep their number. InputError with line and
// column for an unknown switch or port, or a lane above 15; with names for ports without a row.
LevelLanes read_sl2vl(Input& input, const Fabric& fabric);
LevelLanes load_sl2vl(const std::string& path, const Fabric& fabric);

// OpenSM's form.
void write_sl2vl(std::ostream& out, const Fabric& fabric, const LaneMap& map);

// Lanes that were read as service levels, as the lanes they take on all channels.
Lanes take_lanes(const LaneOfLevel& lane_of, Lanes levels);

}  // namespace fatwood
