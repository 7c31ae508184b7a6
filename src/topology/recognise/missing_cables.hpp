// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds the cables that a fabric lacks, and the free ports that they belong to.
//
// Which cables are missing:
// - If the fabric is one known tree (tree_map.hpp): each pair of neighbours in that tree, both
//   present, with fewer cables than the tree has there.
// - Otherwise, in each regular block (tree_blocks.hpp): each pair of members with fewer cables than
//   usual, if the lower switch also has fewer cables in total than usual. Switches of side parts
//   (side_parts.hpp) are skipped.
//
// Which ports: port k of a switch, if it is free and at least half of the other switches on its
// side of the block use their port k to the same neighbour. If several ports fit, the most frequent
// number comes first. Cost: O(ports), and O(block size * radix) for each missing cable.

#include "topology/recognise/tree_map.hpp"

namespace fatwood {

// Two switches with fewer cables between them than usual.
struct CableGap {
  Switch below, above;
  std::uint32_t there, usual;  // numbers of cables
};

// Ordered by lower, then upper switch. `map` is nullptr if no tree is known.
std::vector<CableGap> missing_cables(const PortGraph& graph, const TreeBlocks& blocks,
                                     const SideParts& side, const TreeMap* map);

struct FreePorts {
  std::vector<Channel> below, above;  // one per missing cable; empty if the ports are not clear
};
FreePorts where_missing(const Fabric& fabric, const TreeBlocks& blocks, const CableGap& missing);

}  // namespace fatwood
