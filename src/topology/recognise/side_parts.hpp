// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Side parts of a tree: switches that are not cabled like the rest of their level, for example a
// storage leaf with two uplinks in a fabric whose leaves have 18.
//
// The kind of a block is its level, its width (number of upper switches) and its cables per pair.
// The kind with the most cables of a level is the main kind. A block is a main block if it has the
// main kind, or is narrower than it by less than half (it lost upper switches).
// A switch belongs to a side part if
// - it has cables to only a few upper switches of its block (Block::aside), or
// - it is a leaf, or has no block below it, and the block above it is not a main block, or
// - it is not a leaf, and the block below it is not a main block.
// Cost: O(switches).

#include "topology/recognise/blocks.hpp"

namespace fatwood {

struct SideParts {
  std::vector<std::uint8_t> main_block;  // by block: 1 for a main block
  Table<Switch, std::uint8_t> off;       // by switch: 1 in a side part
  // The fraction of the cables between levels that belong to main blocks.
  double main_share = 0;
};

SideParts find_side_parts(const SwitchNet& net, const Levels& levels, const Blocks& blocks);

}  // namespace fatwood
