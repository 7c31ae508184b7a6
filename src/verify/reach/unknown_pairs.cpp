// SPDX-License-Identifier: BSD-3-Clause
#include "verify/reach/unknown_pairs.hpp"

namespace fatwood {

UnknownPairs::UnknownPairs(const Fabric& fabric, const Routing& routing)
    : fabric_(fabric), routing_(routing) {
  if (routing.unknown.empty()) return;
  components_ = connected_components(port_graph(fabric));
  on_ = terminals_on(fabric);
}

bool UnknownPairs::from(const DestinationTree& tree, Destination destination, Switch start) const {
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

PairCounts UnknownPairs::count(const DestinationTree& tree, Destination destination) const {
  PairCounts pairs;
  if (routing_.unknown.empty()) return pairs;
  for (const Switch s : ids<Switch>(fabric_.num_switches())) {
    if (!from(tree, destination, s)) continue;
    const Place place = s == tree.destination() ? Place::kHome : Place::kElsewhere;
    pairs += pairs_from(on_[s], routing_.tables, destination, place);
  }
  return pairs;
}

}  // namespace fatwood
