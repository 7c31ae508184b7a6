// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Adaptive tables: an entry can have several ports. The packets to one LID are followed over every
// port that they may take. At each switch, each channel by which a packet may have come must be
// earlier in the order than every channel that it may take next; with "choice some", than at least
// one of them. A packet does not leave by the port that it came by if it has others. If packets
// change lanes, the order has channels in lanes.

#include <string>
#include <vector>

#include "fingerprint.hpp"

namespace check {

struct ChoiceFinding {
  std::string why_not;  // empty: the proof holds for this LID
  std::uint64_t routes = 0;
};

ChoiceFinding walk_choices(const Inputs& inputs, const std::vector<std::vector<Owner>>& hosts,
                           std::uint32_t lid);

}  // namespace check
