// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Adaptive tables: an entry can take several ports. The packets to one LID are followed over every
// port that they may take. At each switch, each channel that a packet may have come by must have a
// lower place than every channel it may take next; where the proof says "choice some", than at
// least one of them. A packet that came by a port of several does not go back by it. Where routes
// change lanes on their way, places are of channels in lanes.

#include <string>
#include <vector>

#include "fingerprint.hpp"

namespace check {

struct ChoiceFinding {
  std::string why_not;  // empty: it holds for this LID
  std::uint64_t routes = 0;
};

ChoiceFinding walk_choices(const Inputs& inputs, const std::vector<std::vector<Owner>>& hosts,
                           std::uint32_t lid);

}  // namespace check
