// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Counts the unknown pairs of incomplete tables: cables connect them, but their packets come to an
// entry that is unknown. Cost: O(lost sources * hops) per destination.

#include "routing/tables/destination_tree.hpp"
#include "topology/fabric.hpp"
#include "topology/graph/port_graph.hpp"
#include "verify/reach/pairs.hpp"

namespace fatwood {

class UnknownPairs {
 public:
  // Both must outlive it.
  UnknownPairs(const Fabric& fabric, const Routing& routing) : fabric_(fabric), routing_(routing) {
    if (routing.unknown.empty()) return;
    components_ = connected_components(port_graph(fabric));
    on_ = terminals_on(fabric);
  }

  // Whether packets from this switch come to an unknown entry. `tree` is the destination's.
  bool from(const DestinationTree& tree, Destination destination, Switch start) const {
    const Switch home = tree.destination();
    if (routing_.unknown.empty() || home == kNone<Switch>) return false;
    if (tree.hops(index(start)) != DestinationTree::kLost ||
        components_.component[start] != components_.component[home]) {
      return false;
    }
    std::uint32_t at = index(start);
    while (tree.hop(at).to_switch()) at = tree.hop(at).next();
    return routing_.unknown.at(destination, static_cast<Switch>(at));
  }
  // All pairs of the destination.
  PairCounts count(const DestinationTree& tree, Destination destination) const {
    PairCounts pairs;
    if (routing_.unknown.empty()) return pairs;
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      if (!from(tree, destination, s)) continue;
      const Place place = s == tree.destination() ? Place::kHome : Place::kElsewhere;
      pairs += pairs_from(on_[s], routing_.tables, destination, place);
    }
    return pairs;
  }

 private:
  const Fabric& fabric_;
  const Routing& routing_;
  Components components_;            // empty if all entries are known
  Table<Switch, std::uint32_t> on_;  // number of terminals
};

}  // namespace fatwood
