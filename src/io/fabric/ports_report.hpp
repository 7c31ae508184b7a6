// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The output of `ibnetdiscover -p`: one line per port, highest first, node by node.
//
//   SW    17  2 0x0020000100000000 4x QDR - CA     2  1 0x0010000000000101 ( 'S1_0' - 'H1' )
//   SW    17  3 0x0020000100000000 4x SDR                                    'S1_0'
//
// Fields: kind, LID, port, port GUID, rate; then the other end, and the descriptions. There are no
// node GUIDs, so an adapter is named by the GUID of its lowest port. The lines of one adapter are
// consecutive, with the same description and falling port numbers. Hardware ids, LMC and the kind
// of port 0 are missing.

#include "io/base/input.hpp"
#include "io/fabric/load_fabric.hpp"

namespace fatwood {

bool looks_like_ports_report(std::string_view head);
LoadedFabric read_ports_report(Input& input);

}  // namespace fatwood
