// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Topology files of ibutils and ibdiagnet (`ibdiagnet -w FILE`, `ibdiagnet -t FILE`).
//
//   MQM9700 leaf1 CFG: leaf2=R           a system: type, name, boards that differ
//      P1 -4x-100G-> HCA_8 gpu1 U1/P1    a port, width and Gb/s of a lane, type, name and port
//                                        a blank line ends the system
//
// Types are looked up in IBNL files (ibnl.hpp). Without one, port P7 is number 7, L2/P7 is on card
// 2, and the ports of a host are those of its adapters. '#' starts a comment.

#include <string_view>

#include "io/base/input.hpp"
#include "io/fabric/load_fabric.hpp"

namespace fatwood {

bool looks_like_topo(std::string_view head);
LoadedFabric read_topo(Input& input, const LoadOptions& options);

}  // namespace fatwood
