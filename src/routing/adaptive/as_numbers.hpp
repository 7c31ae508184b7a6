// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The autonomous system (AS) of each switch of a Clos that is routed by BGP.
//
// BGP drops a path that has its own AS already. So switches with one AS never send packets to each
// other, and a valley (down, then up) is lost instead of bounced.
// Method, as in RFC 7938: each leaf has an AS of its own; the switches of a higher level that are
// connected by that level and those below share one. So all spines of a leaf-spine share one, and
// so do the spines of a pod, and all cores. In a fabric that is no tree, each switch has its own.
// Encoding: 4200000000 and up, the private numbers of 32 bits, in order of the first switch.
// Cost: O(cables * levels).

#include <cstdint>

#include "topology/model.hpp"

namespace fatwood {

Table<Switch, std::uint32_t> as_numbers(const Model& model);

}  // namespace fatwood
