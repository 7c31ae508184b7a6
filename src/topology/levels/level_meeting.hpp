// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Do any two leaves have a common ancestor? Step 4 of levels.hpp. Leaves are here the switches with
// hosts, whatever their level; in a component without hosts, those of level 1.
//
// Method: from a leaf, visit all switches above it, then all below those. Leaves of its component
// that are not visited are disconnected from it. Two leaves that are connected only to each other,
// by horizontal cables, count as visited. At most kSampledLeaves leaves, evenly spread, and at
// least one per component are used as start. Cost: O(cables) per start.

#include <vector>

#include "topology/graph/switch_net.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood {

inline constexpr std::size_t kSampledLeaves = 64;

struct Meeting {
  std::uint64_t seen = 0, disconnected = 0;     // leaf pairs
  Switch a = kNone<Switch>, b = kNone<Switch>;  // a disconnected pair
  bool hosts = false;                           // the component has hosts
  bool sideways = false;  // a cable within a level, except between two leaves as above
};

// One per connected component.
std::vector<Meeting> leaf_meetings(const SwitchNet& net, const Components& components,
                                   const Table<Switch, std::uint32_t>& hosts,
                                   const Table<Switch, Level>& level);

}  // namespace fatwood
