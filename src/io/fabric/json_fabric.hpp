// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fatwood's own JSON: everything in a Fabric except the formula that generated it.
//
//   {"format": "fatwood-fabric", "version": 1,
//    "nodes": [{"id": "S1_0", "kind": "switch", "ports": 36, "guid": "0x20...", "description": "",
//               "vendor": 713, "device": 53488, "system_guid": "0x...", "enhanced": true,
//               "addresses": [[0, "0x20...", 17, 0]]},    port, port GUID, LID, LMC
//              {"id": "H0", "kind": "adapter", ...}],     or "router"
//    "links": [["S1_0", 1, "H0", 1, "4xQDR"]]}            each cable once; rate "" if unknown
//
// Only id, kind and ports of a node are required. Unknown keys are skipped. Reading is streamed:
// only the fabric is in memory, and no text may exceed 64 KiB.

#include <ostream>

#include "io/base/input.hpp"
#include "io/fabric/load_fabric.hpp"

namespace fatwood {

bool looks_like_json(std::string_view head);
LoadedFabric read_json_fabric(Input& input);
void write_json_fabric(std::ostream& out, const Fabric& fabric);

}  // namespace fatwood
