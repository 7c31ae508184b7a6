// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// ibdiagnet2.pm: counters, one block per port.
//
//   -------------------------------------------------------
//   Port=1 Lid=0x00b4 GUID=0xb0cf0e0300d33fc0 Device=54002 Port Name=leaf1/U1/P1/1/1
//   -------------------------------------------------------
//   link_down_counter=0x00000000
//   port_looping_errors=NA

#include <string_view>

#include "io/base/input.hpp"
#include "io/ibdiagnet/side_data.hpp"

namespace fatwood {

bool looks_like_pm(std::string_view head);
// InputError for a port without number or GUID, or a counter outside of a block.
SideData read_pm(Input& input);

}  // namespace fatwood
