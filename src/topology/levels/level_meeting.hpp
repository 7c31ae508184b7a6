// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Do any two leaves have a common ancestor? Step 4 of levels.hpp. Here a leaf is a switch with
// terminals, whatever its level. In a component without terminals, it is a switch of level 1.
//
// Method: visit all switches above a leaf, then all below these. The leaves of its component that
// were not visited have no common ancestor with it. A pair of twins (two leaves cabled to each
// other, and to no other switch of level 1) counts as connected. The search starts from at most
// kSampledLeaves leaves, evenly spread, and from at least one per component. Cost: O(cables) per
// start.

#include <vector>

#include "topology/graph/port_graph.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood {

inline constexpr std::size_t kSampledLeaves = 64;

struct Meeting {
  std::uint64_t seen = 0, disconnected = 0;     // leaf pairs
  Switch a = kNone<Switch>, b = kNone<Switch>;  // a disconnected pair
  bool terminals = false;                       // the component has terminals
  bool sideways = false;                        // a cable within a level, except between twins
};

// One per connected component.
std::vector<Meeting> leaf_meetings(const PortGraph& graph, const Components& components,
                                   const Table<Switch, std::uint32_t>& terminals,
                                   const Table<Switch, Level>& level);

}  // namespace fatwood
