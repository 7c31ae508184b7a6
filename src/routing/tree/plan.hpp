// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which way each destination's traffic comes down a tree: the choices of ftree, before any table
// is written.
//
// Method (the baseline of [Bogdanski12], made of whole decisions): destinations in their order;
// each climbs from its switch to a peak, at every switch by the up-group whose least-used
// descending port has the fewest destinations, then the one whose own ports above are least used,
// then the column that has the fewest destinations in the whole fabric, then the first column. All
// others climb towards that chain and descend along it, so a descending channel serves few
// destinations: on a complete RLFT one, as with d-mod-k. Where cables are missing and switches with
// counted terminals do not reach the chain in the fewest hops, further switches above the
// destination are added, one at a time, by the descent that adds least to what its channels carry.
// With several addresses a terminal, the round of each offset comes after that of the one before
// it, and a parent that has fewer of the terminal's earlier addresses goes first.
//
// Encoding: a target's covers are switches above it, in order of preference: who is below one of
// them in the fewest hops climbs there. Its steps are the ports by which they descend.
// Cost: O(up-ports of a chain + switches / 32) a destination on a whole tree.

#include <cstdint>
#include <span>
#include <vector>

#include "routing/engine.hpp"
#include "routing/tree/climb.hpp"

namespace fatwood {

enum class PlanRow : std::uint32_t {};  // see TreePlan::rows

struct Cover {
  Switch top;
  PlanRow row;          // of a peak
  std::uint32_t taken;  // how often the switch was a cover before
};

struct Step {
  Switch at;
  Port port;
};

struct TargetPlan {
  std::uint32_t first_cover = 0, covers = 0;
  std::uint32_t first_step = 0, steps = 0;
};

// A peak's row of ports in one of its variants: where switches have a choice of ports towards the
// peak, destinations of different variants may take different ones.
struct PeakRow {
  Peak peak;
  std::uint32_t uses = 0;
};

struct TreePlan {
  Table<Target, TargetPlan> of;
  std::vector<Cover> cover;
  std::vector<Step> step;
  Table<PlanRow, PeakRow> rows;  // in order of first use

  std::span<const Cover> covers(Target target) const {
    return {cover.data() + of[target].first_cover, of[target].covers};
  }
  std::span<const Step> steps(Target target) const {
    return {step.data() + of[target].first_step, of[target].steps};
  }
};

// Which chain a destination takes where it has the choice.
enum class Chains : std::uint8_t {
  kLeastUsed,  // as above
  // That of d-mod-k in the tree that the fabric is nearest to, wherever its cables are there; what
  // is added where it is not reached is not counted. So one missing cable moves few chains, and
  // destinations in a row stay apart.
  kHome,
};

// Terminals that count (model.counted()) are laid first.
TreePlan plan_tree(const Model& model, const TreeClimb& climb, const ForwardingTables& tables,
                   const RouteOptions& options, Chains chains = Chains::kLeastUsed);

}  // namespace fatwood
