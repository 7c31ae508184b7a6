// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Ranks the switches of any fabric, without hints: 1 for leaf switches, then upwards.
//
// Method, all on the net of switches with cable counts:
//  1. Seeds. A switch with hosts (aggregation adapters are not hosts) is a leaf, unless more of
//     its cables lead to other seeds than it has hosts: then it is a spine with hosts on it.
//     Lifted greedily, the clearest case first (level_seeds.hpp).
//  2. Peeling. Level k+1 are switches with a fifth of their cables to level k; a switch with fewer
//     (a core with one storage leaf cabled straight to it) waits for its other neighbours.
//  3. Settling. What is left in doubt is the switch whose neighbours are all of one level n: an
//     empty leaf looks like a core. It goes where the switches are that share its neighbours
//     (level_settle.hpp). Any other switch takes the level with the fewest horizontal and
//     level-skipping cables.
//  4. Proof. Two leaves of a tree have a switch above both; a sample of leaves is held against
//     all. Where that fails for more than a fifth of the pairs, or cables run within a level, ranks
//     by distance to the nearest leaf are tried: in a tree that lacks cables, however many, they
//     are right for every switch above a leaf. If cables run within a level then too, or many
//     switches with hosts are above others, the fabric is no tree, and a pair is named.
//
// So a tree that lost cables and switches stays one: what is connected in it has ranks without a
// cable within a level.
//
// Encoding: level[s] in 1..height. A cable between equal levels is horizontal, one between levels
// two or more apart skips. Deterministic. Cost: O(ports), and the square of the radix for each
// switch in doubt (ft(64,3): 0.1 s).

#include <cstdint>
#include <string>
#include <vector>

#include "topology/fabric.hpp"

namespace fatwood {

using Level = std::uint16_t;

enum class TerminalRole : std::uint8_t {
  kCompute,      // on a leaf switch
  kAggregation,  // part of a switch: no host
  kUpper,        // a host on a switch above the leaves: mostly a manager or storage
  kDirect,       // cabled to another adapter
};

// Known in advance; both may be empty. Given leaves are the only leaves; given roots get the
// highest level, and the rest is ranked by its distance to them.
struct LevelHints {
  std::vector<Switch> leaves;
  std::vector<Switch> roots;
};

struct Levels {
  Table<Switch, Level> level;
  Level height = 0;  // the highest level in use
  Table<Terminal, TerminalRole> role;
  std::vector<Switch> roots;        // switches with no cable to a higher level
  std::vector<Channel> horizontal;  // one for each such cable: the lower channel number
  std::vector<Channel> skipping;    // one for each such cable: out of the lower switch
  // Leaf pairs without a switch above both, of those looked at.
  std::uint64_t disconnected_pairs = 0;
  std::uint64_t pairs_seen = 0;
  Switch disconnected_a = kNone<Switch>, disconnected_b = kNone<Switch>;  // such a pair

  // Empty when the fabric is like a tree; else why it is not, naming switches and ports.
  std::string why_not_tree;

  bool is_tree() const { return why_not_tree.empty(); }
};

Levels find_levels(const Fabric& fabric, const LevelHints& hints = {});

// Direction of a channel between two switches. REQUIRES both ends to be switches.
inline int step(const Fabric& fabric, const Levels& levels, Channel c) {
  return static_cast<int>(levels.level[fabric.next_switch(c)]) -
         static_cast<int>(levels.level[fabric.as_switch(fabric.owner(c))]);
}
// Throws PromiseError with why_not_tree, led by who asks ("ftree").
void require_tree(const Levels& levels, std::string_view who);

}  // namespace fatwood
