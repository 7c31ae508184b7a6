// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Do any two leaves have a common ancestor? Step 4 of levels.hpp. Leaves are here the switches with
// hosts, whatever their level, or level 1 in a part without any.
//
// From a leaf: all switches above it, then all below those. Leaves of its connected part that are
// not met are disconnected from it; a pair of leaves joined to each other alone by horizontal
// cables counts as met. At most kSampledLeaves leaves, evenly spread, and at least one of each part
// are walked from. Cost: O(cables) per walk.

#include <vector>

#include "topology/graph/switch_net.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood {

inline constexpr std::size_t kSampledLeaves = 64;

struct Meeting {
  std::uint64_t seen = 0, disconnected = 0;     // leaf pairs
  Switch a = kNone<Switch>, b = kNone<Switch>;  // one that is disconnected
  bool hosts = false;                           // a switch of the component has some
  bool sideways = false;  // a cable joins two switches of one level that are no such pair
};

// One for each connected part.
std::vector<Meeting> leaf_meetings(const SwitchNet& net, const Components& components,
                                   const Table<Switch, std::uint32_t>& hosts,
                                   const Table<Switch, Level>& level);

}  // namespace fatwood
