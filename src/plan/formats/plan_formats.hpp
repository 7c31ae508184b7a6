// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Readers of plans in files; plan_write.hpp writes them.

#include <string_view>

#include "io/base/input.hpp"
#include "io/base/loaded_fabric.hpp"

namespace fatwood {

// Cable lists as CSV: NDT (UFM), point-to-point sheets, SHCD, Omni-Path, SONiC, NetBox, Arista AVD,
// and variants. plan_columns.hpp finds the columns by the words of the header.
//
//   #StartDevice,StartPort,EndDevice,EndPort,LinkType         Rack,U,Name,HCA/Port,Rack,U,Name,Port
//   gpu1,gpu1 mlx5_0,leaf1,Port 1,Data                        A01,10,gpu1,1,B01,40,leaf1,1/1
//
// Lines before the header, lines that begin with '#', and rows without any device or port are
// skipped. A row with only one end is a boundary: it is skipped with a warning. A port without a
// device has the device of the row above. In Omni-Path sheets every empty cell repeats the one
// above.
//
// If a port has a name as Ethernet switches have it (swp1, Ethernet4, Eth1/1), speeds are those of
// Ethernet. An export of NetBox with ids instead of names is refused with advice.
//
// A bad row is an InputError with line and column, or a warning if lenient. Cost: O(bytes).
bool looks_like_plan_csv(std::string_view head);
// `rate`: of Ethernet cables without one (LoadOptions).
LoadedFabric read_plan_csv(Input& input, Strictness strictness, std::string_view rate = {});

// Topology files of ibutils and ibdiagnet (`ibdiagnet -w FILE`, `ibdiagnet -t FILE`).
//
//   MQM9700 leaf1 CFG: leaf2=R           a system: type, name, boards that differ
//      P1 -4x-100G-> HCA_8 gpu1 U1/P1    a port, width and Gb/s of a lane, type, name and port
//                                        a blank line ends the system
//
// Types are looked up in IBNL files (ibnl.hpp). Without one, port P7 is number 7, L2/P7 is on card
// 2, and the ports of a host are those of its adapters. '#' starts a comment.
bool looks_like_topo(std::string_view head);
LoadedFabric read_topo(Input& input, const LoadOptions& options);

// A plan as JSON: everything in a Plan.
//
//   {"format": "fatwood-plan", "version": 1,
//    "devices": [{"name": "leaf1", "kind": "switch", "model": "", "rack": "A01", "unit": 40,
//                 "role": "leaf", "chips": [{"name": "", "ports": 64, "guid": "0x..."}],
//                 "inside": [[chip, port, chip, port]]}],
//    "cables": [{"a": {"device": "leaf1", "chip": "", "port": 33, "text": "Port 33"}, "b": {...},
//                "label": "", "type": "", "length_m": 5, "rate": "4xNDR"}]}
//
// Only the name of a device, and device and port of an end are required; "kind" may be "host".
bool looks_like_plan_json(std::string_view head);
// A bad cable is left out with a warning if lenient.
LoadedFabric read_plan_json(Input& input, Strictness strictness);

}  // namespace fatwood
