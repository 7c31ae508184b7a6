// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Blocks: the regular structure between two neighbouring levels. In a block, (nearly) every lower
// switch has the same number of cables to every upper switch.
//
// In a PGFT(h;m;w;p), a block above level l has m(l+1) lower switches, w(l+1) upper switches and
// p(l+1) cables per pair. Real trees also consist of blocks, but sizes differ, cables are missing,
// and some switches have cables to a few switches of a block only.
//
// Method, for each level:
// 1. Take the lower switches by number of parents, most first. A switch that is in no block starts
//    one; every other switch that shares at least kAlike of its parents with it joins.
// 2. Each upper switch joins the block to which most of its cables lead.
// 3. Each lower switch moves to the block of most of its parents. Then step 2 is repeated.
// 4. A lower switch with cables to less than half of the upper switches of its block (a quarter in
//    narrow blocks) is not a member: it is listed in `aside`.
// 5. A block whose upper switches all joined other blocks is dropped.
// Majorities decide, so missing cables and a few wrong ones do not change the blocks.
//
// Order: blocks by level, then by their first lower switch; members ascending.
// Cost: O(sum over switches of radix squared).

#include <tuple>
#include <vector>

#include "topology/graph/port_graph.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood {

struct TreeBlock {
  Level level = 0;            // of the lower switches
  std::vector<Switch> below;  // lower members
  std::vector<Switch> above;  // upper members
  std::vector<Switch> aside;  // lower switches with cables to only a few of `above`
  std::uint32_t cables = 0;   // usual number of cables between two members
  std::uint64_t joined = 0;   // pairs of members with a cable

  std::uint64_t filled = 0;  // cables between members, at most `cables` per pair counted
  bool mixed = false;        // most lower switches have the same other number of cables: by design

  // Level, width, parallel cables: what blocks of one pattern have in common.
  using Kind = std::tuple<Level, std::size_t, std::uint32_t>;
  Kind kind() const { return {level, above.size(), cables}; }
  // Only in a regular block are fewer cables than usual a sign of missing cables.
  bool regular() const {
    return !mixed && filled * 10 >= std::uint64_t{cables} * below.size() * above.size() * 7;
  }
};

inline constexpr std::uint32_t kNoBlock = 0xffffffffU;

struct TreeBlocks {
  std::vector<TreeBlock> block;
  // The block above and the block below each switch, or kNoBlock. Also set for `aside` switches.
  Table<Switch, std::uint32_t> up, down;
};

TreeBlocks find_blocks(const PortGraph& graph, const Levels& levels);

}  // namespace fatwood
