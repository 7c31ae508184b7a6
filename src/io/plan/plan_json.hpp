// SPDX-License-Identifier: BSD-3-Clause
#pragma once
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

#include <string_view>

#include "io/base/input.hpp"
#include "io/fabric/load_fabric.hpp"

namespace fatwood {

bool looks_like_plan_json(std::string_view head);
// A bad cable is left out with a warning if lenient.
LoadedFabric read_plan_json(Input& input, Strictness strictness);

}  // namespace fatwood
