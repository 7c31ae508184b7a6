// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Parts off the side of a tree: leaves and spines whose cables are not like those of the rest.
//
// Main blocks of a level are those of the width (upper switches) and the number of parallel cables
// that most cables run in. A switch is off the side when it is next to a block, or in no main block
// at all, or has a block below it and that is not a main one. Cost: O(switches).

#include "topology/recognise/blocks.hpp"

namespace fatwood {

struct SideParts {
  std::vector<std::uint8_t> main_block;  // of each block: 1 when it is main
  Table<Switch, std::uint8_t> off;       // of each switch: 1 when it is off the side
  // Share of the cables between levels that run in main blocks.
  double main_share = 0;
};

SideParts find_side_parts(const SwitchNet& net, const Levels& levels, const Blocks& blocks);

}  // namespace fatwood
