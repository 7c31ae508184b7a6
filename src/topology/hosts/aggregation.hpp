// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds terminals that are parts of a switch and not hosts: the "Aggregation Node" (SHARP) that
// newer switches show as an adapter on an internal port, spines and cores too. A tool that counts
// them as hosts takes every switch for a leaf.
//
// A terminal is one when any of these holds:
//  - its adapter has the same system GUID as the switch it hangs on: both are one box;
//  - its description says "Aggregation Node", or its device is kAggregationDevice;
//  - (nothing known of the hardware) it hangs on the highest port of its switch, that number is
//    odd and above 32, and on every switch with so many ports that port leads to an adapter with
//    one port, and at least one of these switches has no other adapter: no box has an odd number of
//    sockets.
// Cost: O(ports).

#include "topology/fabric.hpp"

namespace fatwood {

inline constexpr std::uint32_t kAggregationDevice = 0xcf09;

// 1 for such terminals, else 0.
Table<Terminal, std::uint8_t> aggregation_terminals(const Fabric& fabric);

}  // namespace fatwood
