// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric with cables or a switch more: what putting back or adding would give.
//
// A new cable takes the ports given, else the lowest free port of either switch; where none is free
// the switch gets one more port than it has, up to kMaxPorts, and that is counted: the answer is
// what it would give, and how many ports that lacks. Rates are those of the switch's other cables
// to that level. Everything else stays as it is, GUIDs included. Cost: O(ports).

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct NewCable {
  Switch below = kNone<Switch>;
  Switch above = kNone<Switch>;
  // kNone: any free port.
  Channel port_below = kNone<Channel>;
  Channel port_above = kNone<Channel>;
};

struct Extended {
  Fabric fabric;
  std::size_t cables = 0;         // added
  std::size_t ports_lacking = 0;  // that no switch has
};

Extended with_cables(const Model& model, std::span<const NewCable> cables);
// One more cable for each switch of the level, to the switch above it that it has the fewest to (of
// those, the one with the fewest new cables, then the lowest number). Nothing where a switch has
// none above.
Extended with_cable_each(const Model& model, Level level);
// One more switch of the level, cabled like the switch of that level with the most cables (the
// lowest number of equals). Nothing when the level has no switch.
std::optional<Extended> with_switch(const Model& model, Level level);

// "cable@LEVEL" (with_cable_each), "switch@LEVEL", or several: "2xswitch@LEVEL".
struct Addition {
  bool is_cable = false;
  Level level = 0;
  unsigned times = 1;
};
// `height`: the highest level. InputError for any other text.
Addition parse_addition(const std::string& text, unsigned height, const Location& where);
// One after the other. InputError when the level has no switch.
Extended with_addition(const Model& model, const Addition& addition);

}  // namespace fatwood
