// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds the terminals that are parts of a switch, not hosts. Newer switches show their "Aggregation
// Node" (SHARP) as an adapter on an internal port, even on spines and cores. If these counted as
// hosts, every switch would look like a leaf.
//
// A terminal is part of its switch if any of these holds:
//  - its adapter has the same system GUID as its switch: both are one box;
//  - its description says "Aggregation Node", or its device is kAggregationDevice;
//  - by its place, whatever the hardware says:
//     - it is on the highest port of its switch, whose number is odd and above 32 (no box has an
//       odd number of sockets),
//     - on every switch with that many ports, the port leads to an adapter with one port,
//     - at least one of these switches has no other adapter.
// Cost: O(ports).

#include "topology/fabric.hpp"

namespace fatwood {

inline constexpr std::uint32_t kAggregationDevice = 0xcf09;

// 1 for parts of switches, otherwise 0.
Table<Terminal, std::uint8_t> aggregation_terminals(const Fabric& fabric);

}  // namespace fatwood
