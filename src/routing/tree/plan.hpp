// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Chooses the path on which each destination's traffic comes down a tree, before any table is
// written.
//
// Method (the baseline of [Bogdanski12], made of whole decisions): destinations are taken in their
// order. From its switch, each destination's chain goes up to a root. At every switch it takes the
// up-group whose least-used down port has the fewest destinations, then the one whose own ports
// above are least used, then the column with the fewest destinations in the whole fabric, then the
// first column. All other switches go up towards that chain and down along it, so a down channel
// serves few destinations: exactly one on a complete RLFT, as with d-mod-k.
// Where cables are missing, some switches with counted terminals do not reach the chain in the
// fewest hops. Then more switches above the destination are added, one at a time, by the path down
// that adds least to the load of its channels. With several addresses per terminal there is one
// round per offset, and a parent with fewer earlier addresses of the terminal is preferred.
//
// Encoding: the covers of a destination are switches above it, in order of preference. A switch
// that is below a cover in the fewest hops goes up to it. Steps are the ports of the path down.
// Cost: O(up-ports of a chain + switches / 32) per destination on a complete tree.

#include <cstdint>
#include <span>
#include <vector>

#include "routing/engine.hpp"
#include "routing/tree/up_down_order.hpp"

namespace fatwood {

enum class PlanRow : std::uint32_t {};  // see TreePlan::rows

struct Cover {
  Switch top;
  PlanRow row;          // of a root
  std::uint32_t taken;  // how often the switch was a cover before
};

struct Step {
  Switch at;
  Port port;
};

struct DestinationPlan {
  std::uint32_t first_cover = 0, covers = 0;
  std::uint32_t first_step = 0, steps = 0;
};

// A root's row of ports in one of its variants: where switches have a choice of ports towards the
// root, destinations of different variants may take different ones.
struct RootRow {
  Root root;
  std::uint32_t uses = 0;
};

struct TreePlan {
  Table<Destination, DestinationPlan> of;
  std::vector<Cover> cover;
  std::vector<Step> step;
  Table<PlanRow, RootRow> rows;  // in order of first use

  std::span<const Cover> covers(Destination destination) const {
    return {cover.data() + of[destination].first_cover, of[destination].covers};
  }
  std::span<const Step> steps(Destination destination) const {
    return {step.data() + of[destination].first_step, of[destination].steps};
  }
};

// The chain that a destination takes if it has a choice.
enum class Chains : std::uint8_t {
  kLeastUsed,  // as above
  // That of d-mod-k in the tree that the fabric is nearest to, wherever its cables are there; what
  // is added where it is not reached is not counted. So one missing cable moves few chains, and
  // successive destinations stay separate.
  kHome,
};

// Terminals that count (model.counted()) are laid first.
TreePlan plan_tree(const Model& model, const UpDownOrder& up_down, const ForwardingTables& tables,
                   const RouteOptions& options, Chains chains = Chains::kLeastUsed);

}  // namespace fatwood
