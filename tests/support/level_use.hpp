// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How evenly a routing uses the cables between the levels of a tree: the most destinations that
// one channel carries across each level, upwards and downwards, when every counted terminal sends
// to every other, compared with the least that any routing could do.
//
// Lower bound: the switches up to level l fall into connected parts. Each terminal outside a part
// with terminals must leave it by one of the part's channels upwards, and each terminal inside must
// be entered by one of its channels downwards: destinations over channels, rounded up, the largest
// over all parts. Cost: O(1) per table entry of the counted, and O(ports) for each level.

#include <cstdint>
#include <vector>

#include "routing/tables/routing.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood {

struct LevelUse {
  Level below;                 // channels between switches up to this level and those above
  std::uint64_t channels = 0;  // in one direction
  std::uint32_t up = 0;        // destinations on the most loaded channel
  std::uint32_t down = 0;
  std::uint32_t least_up = 0;  // what the fullest must carry at least
  std::uint32_t least_down = 0;
};

// One for each boundary between levels that has channels.
std::vector<LevelUse> level_use(const Fabric& fabric, const Levels& levels,
                                const Table<Terminal, std::uint8_t>& counted,
                                const ForwardingTables& tables);

}  // namespace fatwood
