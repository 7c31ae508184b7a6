// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Divides the ports of a network into parts of equal size, with few links between parts. A thread
// of the engine runs one or more parts. Results do not depend on the parts, only the time does.
//
// Method: switches are assigned in order of their distance from the endpoints. Switches with
// endpoints are divided in order of their numbers, which follow pods in formulas and at most sites.
// A switch further up joins the part to which most of its links below lead, unless that part
// already has its share of switches at this distance; on a tie, the smallest part. So pods stay
// together. An adapter is in the part of its switch. Cost: O(ports * parts).

#include <cstdint>
#include <vector>

#include "sim/engine/network.hpp"

namespace fatwood::sim {

// By port: its part. REQUIRES parts > 0. Parts may be empty if there are few switches.
std::vector<std::uint16_t> partition(const Network& network, unsigned parts);

// How many ticks a part can run before it must know what other parts did: a packet or credit needs
// the latency of its link and a tick. kNever: no link connects two parts.
Time lookahead(const Network& network, const std::vector<std::uint16_t>& part_of);

}  // namespace fatwood::sim
