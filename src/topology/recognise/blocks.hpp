// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Regular structure between two neighbouring levels: blocks, in which (nearly) every lower switch
// has the same number of cables to every upper one.
//
// A fat-tree is made of such blocks: in PGFT(h;m;w;p) those above level l have m(l+1) lower and
// w(l+1) upper switches and p(l+1) cables between each two. Real trees are too, with other counts
// from block to block, cables missing, and switches cabled to a few of a block's switches only.
//
// Method. Lower switches in order of falling number of different parents; one that is in no block
// starts a new one, and all that have kAlike of their parents in common with it join. Each upper
// switch belongs to the block most of its cables lead to; then lower switches move to the block of
// most of their parents. A lower switch with parents in less than half of its block's upper
// switches is next to it, not a member. So damage and a few wrong cables do not matter.
//
// Encoding: blocks ordered by level, then by their first lower switch; members ascending.
// Cost: O(sum over switches of radix squared).

#include <vector>

#include "topology/graph/switch_net.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood {

struct Block {
  Level level = 0;            // of the lower switches
  std::vector<Switch> below;  // members
  std::vector<Switch> above;  // members
  std::vector<Switch> aside;  // lower switches with cables to a few of `above`
  std::uint32_t cables = 0;   // usual number between two members
  std::uint64_t joined = 0;   // pairs of members with a cable

  std::uint64_t filled = 0;  // cables between members, no more than `cables` a pair
  bool mixed = false;        // most lower switches lack the same number: so it was built

  // Whether most pairs are joined alike: only then is a missing cable missing.
  bool regular() const {
    return !mixed && filled * 10 >= std::uint64_t{cables} * below.size() * above.size() * 7;
  }
};

inline constexpr std::uint32_t kNoBlock = 0xffffffffU;

struct Blocks {
  std::vector<Block> block;
  // The block above a switch and the one below it; kNoBlock where there is none. `aside` counts.
  Table<Switch, std::uint32_t> up, down;
};

Blocks find_blocks(const SwitchNet& net, const Levels& levels);

// Cables between two switches.
std::uint32_t cables_between(const SwitchNet& net, Switch a, Switch b);

}  // namespace fatwood
