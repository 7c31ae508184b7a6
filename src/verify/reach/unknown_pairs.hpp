// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Pairs about which incomplete tables say nothing: cables join them, and their packets come to an
// entry that is not known. Cost: O(lost sources * hops) per destination.

#include "routing/tables/destination_tree.hpp"
#include "topology/graph/switch_net.hpp"
#include "verify/reach/pairs.hpp"

namespace fatwood {

class UnknownPairs {
 public:
  // Both must outlive it.
  UnknownPairs(const Fabric& fabric, const Routing& routing);

  // Whether this is so for packets that start at the switch. The tree is the destination's.
  bool from(const DestinationTree& tree, Destination destination, Switch start) const;
  // All pairs of the destination.
  PairCounts count(const DestinationTree& tree, Destination destination) const;

 private:
  const Fabric& fabric_;
  const Routing& routing_;
  Components components_;            // empty when everything is known
  Table<Switch, std::uint32_t> on_;  // terminals
};

}  // namespace fatwood
