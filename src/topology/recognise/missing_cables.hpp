// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds the cables that a fabric lacks, and the ports that they would connect.
//
// When its tree is known (tree_map.hpp), every empty up-slot between two switches that are there;
// else every pair of a regular block with fewer cables than usual, on a lower switch with fewer
// cables than usual in all. Switches off the side lack nothing.
// Ports are those which the sisters of either switch use for the other, if they are free: the
// most frequent first, and only when half of the sisters agree.
// Cost: O(ports), and O(block size * radix) for each missing cable.

#include "topology/recognise/tree_map.hpp"

namespace fatwood {

struct MissingCable {  // between two switches
  Switch below, above;
  std::uint32_t there, usual;  // cables
};

// Ordered by lower, then upper switch. No map: nullptr.
std::vector<MissingCable> missing_cables(const SwitchNet& net, const Blocks& blocks,
                                         const SideParts& side, const TreeMap* map);

struct FreePorts {
  std::vector<Channel> below, above;  // as many as cables are missing, or empty when not known
};
FreePorts where_missing(const Fabric& fabric, const Blocks& blocks, const MissingCable& missing);

}  // namespace fatwood
