// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Cable lists as CSV: NDT (UFM), point-to-point sheets, SHCD, Omni-Path, SONiC, NetBox, and
// variants. plan_columns.hpp finds the columns by the words of the header.
//
//   #StartDevice,StartPort,EndDevice,EndPort,LinkType         Rack,U,Name,HCA/Port,Rack,U,Name,Port
//   gpu1,gpu1 mlx5_0,leaf1,Port 1,Data                        A01,10,gpu1,1,B01,40,leaf1,1/1
//
// Lines before the header, lines that begin with '#', and rows without any device or port are
// skipped. A row with only one end is a boundary: it is skipped with a warning. A port without a
// device has the device of the row above. In Omni-Path sheets every empty cell repeats the one
// above.
//
// A bad row is an InputError with line and column, or a warning if lenient. Cost: O(bytes).

#include <string_view>

#include "io/base/input.hpp"
#include "io/fabric/load_fabric.hpp"

namespace fatwood {

bool looks_like_plan_csv(std::string_view head);
LoadedFabric read_plan_csv(Input& input, Strictness strictness);

}  // namespace fatwood
