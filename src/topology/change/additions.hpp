// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric with additional cables or switches.
//
// A new cable uses the given ports, otherwise the lowest free port of either switch. If a switch
// has no free port, it gets one more (up to kMaxPorts), which is counted in `ports_lacking`. The
// rate is that of the switch's other cables to that level. Everything else stays the same, GUIDs
// included. Cost: O(ports).

#include <optional>
#include <span>
#include <string>

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
  std::size_t ports_lacking = 0;  // ports that had to be added
};

Extended with_cables(const Model& model, std::span<const NewCable> cables);
// One more cable for each switch of the level, to the upper switch to which it has the fewest
// cables. Ties: the fewest new cables, then the lowest number. A switch without upper switches gets
// none.
Extended with_cable_each(const Model& model, Level level);
// One more switch of the level, cabled like the switch of that level with the most cables (the
// lowest number of several). No value if the level has no switch.
std::optional<Extended> with_switch(const Model& model, Level level);

// "cable@LEVEL" (with_cable_each), "switch@LEVEL", or several: "2xswitch@LEVEL".
struct Addition {
  bool is_cable = false;
  Level level = 0;
  unsigned times = 1;
};
// `height`: the highest level. InputError for any other text.
Addition parse_addition(const std::string& text, unsigned height, const Location& where);
// Repeats the addition `times` times. InputError if the level has no switch.
Extended with_addition(const Model& model, const Addition& addition);

}  // namespace fatwood
