// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The ports of a network in parts of equal size, one for each thread of an engine, with few links
// between parts.
//
// Method: switches by their distance from the end-points. Those with end-points are cut into runs
// of equal numbers of ports, in order of number, which generators and sites give by pods; a switch
// further up goes to the part that most of its links below lead to, unless that has its share of
// this distance, and of several to the smallest. So a pod stays together, and what joins the pods
// is dealt out. An adapter is with its switch.
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
