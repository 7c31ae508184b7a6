// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A slow look at shift permutations: walks every pair of every shift and counts the flows on each
// channel.

#include <cstdint>

#include "routing/tables/routing.hpp"

namespace fatwood::oracle {

// The most flows that any of the N-1 shifts (terminal i sends to i + k mod N) puts on a channel;
// 0 when a pair has no route.
unsigned worst_shift(const Fabric& fabric, const Routing& routing);

}  // namespace fatwood::oracle
