// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds the level of each switch: 1 for leaves, 2 for the switches above them, and so on. Works on
// any fabric without hints. A tree that lost cables and switches is still recognised as a tree.
//
// Idea: start at the switches with terminals, go up level by level, correct switches that fit two
// levels, then check that the result is a tree.
//  1. Seeds. A switch with terminals is a leaf (aggregation adapters do not count). A switch with
//     more cables to leaves than terminals is a spine with terminals and is lifted above the
//     leaves, the clearest case first (level_seeds.cpp).
//  2. Peeling. Level k+1 has the switches with at least a fifth of their cables to level k. A core
//     with one storage leaf has fewer, so it waits for its spines to get their level.
//  3. Settling. A switch whose neighbours all have level n could be at n-1 or n+1: an empty leaf
//     looks like a core. It joins the switches that share its neighbours (level_settle.cpp). Any
//     other switch takes the level with the fewest horizontal and level-skipping cables.
//  4. Check. In a tree, any two leaves have a common ancestor (level_meeting.cpp). If some pairs
//     have none, and these are more than a fifth or there are horizontal cables, the distance to
//     the nearest leaf is tried as level. This distance is right for all switches above a leaf,
//     however many cables a tree lacks. It is used if it gives no horizontal cable, and the
//     first levels gave some or connect fewer pairs.
//  5. Verdict. The fabric is no tree if more than a fifth of the pairs are still without a common
//     ancestor, and there are horizontal cables or many lifted switches; or if there are horizontal
//     cables and the lifted switches are like leaves (a triangle of switches). The
//     result names a pair.
//
// Encoding: level[s] in 1..height. A horizontal cable connects two switches of one level; a
// skipping cable connects levels that differ by two or more. Deterministic.
// Cost: O(ports), and radix squared for each switch in doubt (ft(64,3): 0.1 s).

#include <cstdint>
#include <string>
#include <vector>

#include "topology/graph/port_graph.hpp"

namespace fatwood {

using Level = std::uint16_t;

enum class TerminalRole : std::uint8_t {
  kOnLeaf,       // on a leaf switch
  kAggregation,  // part of a switch, not a host
  kUpper,        // a host on a switch above the leaves: usually a manager or storage
  kDirect,       // cabled to another adapter
};

// Both lists may be empty. Given leaves are the only seeds; settling can add leaves below the same
// spines. Given roots get the highest level, and the level of any other switch follows from its
// distance to the nearest root: then given leaves are not used.
struct LevelHints {
  std::vector<Switch> leaves;
  std::vector<Switch> roots;
};

struct Levels {
  Table<Switch, Level> level;
  Level height = 0;                        // the highest level in use
  Table<Switch, std::uint32_t> terminals;  // on each switch, without aggregation adapters
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
// The same, if there is a port graph already.
Levels find_levels(const Fabric& fabric, const PortGraph& graph, const LevelHints& hints);

// Positive: up, negative: down, 0: horizontal. REQUIRES a channel between two switches.
inline int step(const Fabric& fabric, const Levels& levels, Channel c) {
  return static_cast<int>(levels.level[fabric.next_switch(c)]) -
         static_cast<int>(levels.level[fabric.as_switch(fabric.owner(c))]);
}
// All switches, leaves first; those of one level by number.
std::vector<Switch> by_level(const Levels& levels);
// Throws PromiseError with `who` ("ftree") and why_not_tree.
void require_tree(const Levels& levels, std::string_view who);

}  // namespace fatwood
