// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds the level of each switch in any fabric, without hints: 1 for leaves, then upwards.
//
// Method, on the graph of switches with cable counts:
//  1. Seeds. A switch with hosts (aggregation adapters are not hosts) is a leaf, unless it has more
//     cables to other seeds than hosts: then it is a spine with hosts. The clearest case is lifted
//     first (level_seeds.hpp).
//  2. Peeling. Level k+1 has the switches with at least a fifth of their cables to level k. A
//     switch with fewer (a core with one storage leaf) waits for its other neighbours.
//  3. Settling. A switch is in doubt if all its neighbours are of one level n: an empty leaf looks
//     like a core. It joins the switches that share its neighbours (level_settle.hpp). Any other
//     switch takes the level with the fewest horizontal and level-skipping cables.
//  4. Check. In a tree, any two leaves have a switch above both. A sample of leaves is compared
//     with all. If this fails for more than a fifth of the pairs, or if cables run within a
//     level, the distance to the nearest leaf is tried as level. In a tree that lacks cables,
//     however many, that distance is right for every switch above a leaf. If there are still cables
//     within a level, or many switches with hosts above others, the fabric is no tree, and the
//     result names a pair.
// So a tree that lost cables and switches stays a tree: its connected part has levels without
// horizontal cables.
//
// Encoding: level[s] in 1..height. A cable between equal levels is horizontal; a cable between
// levels two or more apart is skipping. Deterministic.
// Cost: O(ports), and radix squared for each switch in doubt (ft(64,3): 0.1 s).

#include <cstdint>
#include <string>
#include <vector>

#include "topology/fabric.hpp"

namespace fatwood {

using Level = std::uint16_t;

enum class TerminalRole : std::uint8_t {
  kOnLeaf,       // on a leaf switch
  kAggregation,  // part of a switch, not a host
  kUpper,        // a host on a switch above the leaves: usually a manager or storage
  kDirect,       // cabled to another adapter
};

// Both may be empty. Given leaves are the only leaves. Given roots get the highest level, and the
// levels of the others follow from their distance to them.
struct LevelHints {
  std::vector<Switch> leaves;
  std::vector<Switch> roots;
};

struct Levels {
  Table<Switch, Level> level;
  Level height = 0;  // the highest level in use
  Table<Terminal, TerminalRole> role;
  std::vector<Switch> roots;        // switches with no cable to a higher level
  std::vector<Channel> horizontal;  // one per cable: the lower channel number
  std::vector<Channel> skipping;    // one per cable: out of the lower switch
  // Leaf pairs without a switch above both, of `pairs_seen` pairs.
  std::uint64_t disconnected_pairs = 0;
  std::uint64_t pairs_seen = 0;
  Switch disconnected_a = kNone<Switch>, disconnected_b = kNone<Switch>;  // one such pair

  // Empty if the fabric is like a tree; otherwise the reason, with names of switches and ports.
  std::string why_not_tree;

  bool is_tree() const { return why_not_tree.empty(); }
};

Levels find_levels(const Fabric& fabric, const LevelHints& hints = {});

// Positive: up, negative: down, 0: horizontal. REQUIRES a channel between two switches.
inline int step(const Fabric& fabric, const Levels& levels, Channel c) {
  return static_cast<int>(levels.level[fabric.next_switch(c)]) -
         static_cast<int>(levels.level[fabric.as_switch(fabric.owner(c))]);
}
// Throws PromiseError with `who` ("ftree") and why_not_tree.
void require_tree(const Levels& levels, std::string_view who);

}  // namespace fatwood
