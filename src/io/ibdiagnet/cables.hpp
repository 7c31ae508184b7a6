// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// ibdiagnet2.cables: what the memory of each cable or transceiver says, one block per port.
//
//   -------------------------------------------------------
//   Port=1 Lid=0x0018 GUID=0x00000000000000a1 Port Name=leaf-01/1/1
//   -------------------------------------------------------
//   Vendor: Mellanox
//   PN: MFS1S00-H010E
//   Temperature: 58C
//   AlarmTemperatureHighThresh: 80C
//
// Read: PN, SN, Type, Length, Temperature and its threshold. Other keys are skipped.

#include <string_view>

#include "io/base/input.hpp"
#include "io/ibdiagnet/side_data.hpp"

namespace fatwood {

bool looks_like_cables(std::string_view head);
// InputError for a port without number or GUID, or a key outside of a block.
SideData read_cables(Input& input);

}  // namespace fatwood
