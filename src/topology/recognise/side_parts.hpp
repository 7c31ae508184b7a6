// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds the side parts of a tree: switches that are not cabled like the rest of their level, for
// example a storage leaf with two uplinks in a fabric whose leaves have 18. They would distort what
// is "usual" for the rest, so recognition treats them separately.
//
// Idea: most cables of a level follow one pattern. A pattern is the number of upper switches of a
// block (its width, tree_blocks.hpp) and its cables per pair. The main pattern of a level is the
// one with the most cables. A main block has the main pattern, or is narrower by less than half
// because upper switches are missing.
//
// A switch belongs to a side part if any of these holds:
// - it has cables to only a few upper switches of its block (TreeBlock::aside);
// - it is a leaf, or has no block below it, and the block above it is not a main block;
// - it is above the leaves, and the block below it is not a main block.
// Cost: O(switches).

#include "topology/recognise/tree_blocks.hpp"

namespace fatwood {

struct SideParts {
  std::vector<std::uint8_t> main_block;  // by block: 1 for a main block
  Table<Switch, std::uint8_t> off;       // by switch: 1 in a side part
  // The fraction of the cables between levels that belong to main blocks.
  double main_share = 0;
};

SideParts find_side_parts(const PortGraph& graph, const Levels& levels, const TreeBlocks& blocks);

}  // namespace fatwood
