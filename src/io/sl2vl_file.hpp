#pragma once
// Which virtual lane a service level takes, from OpenSM's dump of the switches' SL-to-VL tables:
//
//   Switch 0x0020000000000000, base LID 2, "S0"
//   #in out : 0  1  2  3 ...                     levels
//   0   1   : 0  1  2  3 ...                     lanes, from port 0 to port 1
//
// and the same for channel adapters, which are skipped. A level must have one lane on all channels
// between switches: routes that change lanes on their way are refused, naming both lines.

#include <array>
#include <cstdint>
#include <string>

#include "routing/routing.hpp"

namespace fatwood {

class Input;

using LaneOfLevel = std::array<std::uint8_t, 16>;

// Levels the file says nothing of keep their number. InputError with line and column for an
// unknown switch or port, a lane above 15, a level with two lanes.
LaneOfLevel read_sl2vl(Input& input, const Fabric& fabric);
LaneOfLevel load_sl2vl(const std::string& path, const Fabric& fabric);

// Lanes that were read as service levels, as the lanes they take.
Lanes take_lanes(const LaneOfLevel& lane_of, Lanes levels);

}  // namespace fatwood
