// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Counts the unknown pairs of incomplete tables: cables connect them, but their packets come to an
// entry that is unknown. Cost: O(lost sources * hops) per destination.

#include "routing/tables/destination_tree.hpp"
#include "topology/graph/port_graph.hpp"
#include "verify/reach/pairs.hpp"

namespace fatwood {

class UnknownPairs {
 public:
  // Both must outlive it.
  UnknownPairs(const Fabric& fabric, const Routing& routing);

  // Whether packets from this switch come to an unknown entry. `tree` is the destination's.
  bool from(const DestinationTree& tree, Destination destination, Switch start) const;
  // All pairs of the destination.
  PairCounts count(const DestinationTree& tree, Destination destination) const;

 private:
  const Fabric& fabric_;
  const Routing& routing_;
  Components components_;            // empty if all entries are known
  Table<Switch, std::uint32_t> on_;  // number of terminals
};

}  // namespace fatwood
