// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds the PGFT that a fabric is, or is nearest to, and each switch's place in it.
//
// Method. A node of level l of a PGFT is (t, x): the sub-tree of height l it is in, and which of
// that sub-tree's W(l) top nodes it is. t is the connected component of the node in the tree cut
// off above level l, x its component in the tree cut off below level l, and both nest level by
// level. Blocks (blocks.hpp) stand for the cables, so that lost and wrong cables neither split nor
// merge components. Widths w, p and arities m are the largest that blocks and components have. A
// switch with no block below (or above) takes the one free place left to it, if there is only one.
// It is a PGFT only if no two switches have the same place, each level is at least half full, and
// every block of the tree is regular. Then the cables of each pair are copies 0, 1, .. in order of
// the lower switch's ports.
//
// Encoding: canonical numbers of TreeShape (terminals first, level by level); components are
// ordered by their lowest fabric number, so a whole generated tree maps to itself.
// Cost: O(ports + switches log switches).

#include <algorithm>
#include <optional>

#include "topology/recognise/side_parts.hpp"

namespace fatwood {

inline constexpr std::uint32_t kNoPlace = 0xffffffffU;

struct TreeMap {
  TreeShape shape;
  std::uint32_t trees = 1;  // equal, unconnected ones; places are given only when it is 1

  Table<Switch, std::uint32_t> place;             // canonical node number, or kNoPlace
  Table<Terminal, std::uint32_t> terminal_place;  // canonical terminal, or kNoPlace
  std::vector<Switch> switch_at;                  // by canonical number less shape.terminals()
  std::vector<Terminal> terminal_at;              // by canonical terminal
  // By canonical node and port (the papers' q, 0-based): the channel there, kNone when missing.
  std::vector<std::uint32_t> first_slot;
  std::vector<Channel> channel;

  std::vector<std::uint64_t> missing_at;  // switches that are not there, of level 1, 2, ..
  std::uint64_t missing_hosts = 0;        // on leaves that are there
  std::uint64_t missing_cables = 0;       // between switches that are there
  std::uint64_t extra_switches = 0;       // of the fabric, with no place in the tree

  bool whole() const {
    return missing_hosts + missing_cables + extra_switches == 0 &&
           std::ranges::all_of(missing_at, [](std::uint64_t count) { return count == 0; });
  }
};

// Nothing when the fabric is not such a tree. REQUIRES levels.is_tree().
std::optional<TreeMap> map_tree(const Fabric& fabric, const SwitchNet& net, const Levels& levels,
                                const Blocks& blocks, const SideParts& side);

}  // namespace fatwood
