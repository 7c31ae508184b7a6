// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The first half of lay_out(): assigns a rack and a unit to each device.

#include "topology/sizing/layout.hpp"

namespace fatwood {

// Fills racks, rack_of and height of the layout, and rack and unit of the devices.
void place_devices(Plan& plan, const LayoutRules& rules, Layout& layout);

}  // namespace fatwood
