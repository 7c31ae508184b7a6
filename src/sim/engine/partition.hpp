// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Divides the ports of a network into parts of equal size, with few links between parts. A thread
// of the engine runs one or more parts.
//
// Method: switches are taken by their distance from the endpoints. Those with endpoints are
// divided in order of their numbers, which follow pods in formulas and at most sites. A switch
// further up joins the part that most of its links below lead to, unless that part has its share of
// this distance already; of equal parts, the smallest. So pods stay together. An adapter is in the
// part of its switch.
// Results do not depend on the parts, only the time does. Cost: O(ports * parts).

#include <cstdint>
#include <vector>

#include "sim/engine/network.hpp"

namespace fatwood::sim {

// By port: its part. REQUIRES parts > 0. Parts may be empty when there are few switches.
std::vector<std::uint16_t> partition(const Network& network, unsigned parts);

// How many ticks a part can run before it needs to know what others did: what crosses a link or
// comes back as a credit takes its latency and a tick. kNever: no link joins two parts.
Time lookahead(const Network& network, const std::vector<std::uint16_t>& part_of);

}  // namespace fatwood::sim
