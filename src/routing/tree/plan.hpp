// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Chooses, before any table is written, the path on which each destination's traffic comes down the
// tree.
//
// Method (based on [Bogdanski12]), for one destination after the other:
// 1. The chain of the destination goes up from its switch to a root. At every switch it takes the
//    up-group
//    - whose least used down port has the fewest destinations, then
//    - whose own up ports are least used, then
//    - whose column has the fewest destinations in the whole fabric, then
//    - of the first column.
//    All other switches go up towards the chain and down along it. So a down channel serves few
//    destinations: exactly one on a complete RLFT, as with d-mod-k.
// 2. If cables are missing, some switches with counted terminals do not reach the chain in the
//    fewest hops. For them more switches above the destination are added, one at a time, each with
//    the path down that adds least to the load of its channels.
// With several addresses per terminal there is one round per offset, and parents with fewer earlier
// addresses of the terminal are preferred.
//
// Encoding: the covers of a destination are switches above it, in order of preference. A switch
// that reaches a cover in the fewest hops goes up to it. Steps are the ports of the path down.
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
  PlanRow row;          // if `top` is a root
  std::uint32_t taken;  // how often `top` was a cover before
};

struct Step {
  Switch at;
  Port port;
};

struct DestinationPlan {
  std::uint32_t first_cover = 0, covers = 0;
  std::uint32_t first_step = 0, steps = 0;
};

// A row of ports towards a root, in one of several variants. If switches have a choice of ports
// towards the root, destinations of different variants can take different ports.
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

// Which chain a destination takes if it has a choice.
enum class Chains : std::uint8_t {
  kLeastUsed,  // as described above
  // The chain of d-mod-k in the tree that the fabric resembles, wherever its cables exist. Covers
  // added in step 2 are not counted. So a missing cable moves few chains, and consecutive
  // destinations stay on different channels.
  kHome,
};

// Counted terminals (model.counted()) are planned first.
TreePlan plan_tree(const Model& model, const UpDownOrder& up_down, const ForwardingTables& tables,
                   const RouteOptions& options, Chains chains = Chains::kLeastUsed);

}  // namespace fatwood
