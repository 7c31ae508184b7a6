// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds the PGFT that a fabric is, or resembles most, and the place of each switch in it.
//
// A switch of level l of a PGFT is a pair (t, x): t is the sub-tree of height l that contains it, x
// is its number among the W(l) top switches of that sub-tree.
// Method:
// 1. t is the connected component of the switch if all levels above l are removed; x is its
//    component if all levels below l are removed. Both nest level by level. Members of a block
//    (tree_blocks.hpp) count as connected, so missing and wrong cables do not change components.
// 2. The widths w and p and the arities m are the largest of all blocks and components.
// 3. A switch without a block below (or above) takes the free place, if exactly one is left for it.
// 4. The fabric is a PGFT if no two switches have the same place, each level is at least half full,
//    at most a tenth of the lower switches are in irregular blocks, and main blocks
//    (side_parts.hpp) have four fifths of the cables.
// 5. The parallel cables of a pair are numbered 0, 1, .. in order of the lower switch's ports.
// Encoding: canonical numbers of TreeShape (terminals first, then level by level). Components are
// ordered by their lowest switch number, so a whole generated tree maps to itself.
// Cost: O(ports + switches log switches).

#include <algorithm>
#include <optional>

#include "topology/recognise/side_parts.hpp"

namespace fatwood {

inline constexpr std::uint32_t kNoPlace = 0xffffffffU;

struct TreeMap {
  TreeShape shape;
  std::uint32_t trees = 1;  // equal, disconnected trees; places are set only if there is one

  Table<Switch, std::uint32_t> place;             // canonical node number, or kNoPlace
  Table<Terminal, std::uint32_t> terminal_place;  // canonical terminal, or kNoPlace
  std::vector<Switch> switch_at;                  // by canonical number - shape.terminals()
  std::vector<Terminal> terminal_at;              // by canonical terminal
  // By canonical channel (slot of make_tree's fabric): the channel there, kNone if missing.
  std::vector<std::uint32_t> first_slot;
  std::vector<Channel> channel;

  std::vector<std::uint64_t> missing_at;  // absent switches of level 1, 2, ..
  std::uint64_t missing_hosts = 0;        // on leaves that are present
  std::uint64_t missing_cables = 0;       // between switches that are present

  // What the fabric has, and the tree has no place for.
  std::uint64_t extra_switches = 0;
  std::uint64_t extra_cables = 0;  // between switches of the tree
  std::uint64_t extra_ports = 0;   // of adapters (not aggregation nodes) on switches of the tree

  // Every place of the tree is taken. More may be connected: enough for routes that use the tree.
  bool filled() const {
    return missing_hosts + missing_cables == 0 &&
           std::ranges::all_of(missing_at, [](std::uint64_t count) { return count == 0; });
  }
  // The fabric is this tree and nothing else is connected: statements about the best possible need
  // that, since routes could use anything else.
  bool complete() const { return filled() && extra_switches + extra_cables + extra_ports == 0; }
};

// No value if the fabric is not such a tree. REQUIRES levels.is_tree().
std::optional<TreeMap> map_tree(const Fabric& fabric, const PortGraph& graph, const Levels& levels,
                                const TreeBlocks& blocks, const SideParts& side);

}  // namespace fatwood
