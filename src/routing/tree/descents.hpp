// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Plans the tables of ftree before any entry is written: on which path does the traffic of each
// destination come down the tree?
//
// Idea: if all traffic to a destination comes down by the same path, its chain, and different
// destinations have different chains, then each down channel serves few destinations: exactly one
// on a complete RLFT, as with d-mod-k. All other switches go up towards the chain and down along
// it.
//
// Method (based on [Bogdanski12]), for one destination after the other:
// 1. The chain goes up from the destination's switch to a root. At each switch it takes the
//    neighbour above
//    - whose cables down to this switch have the fewest destinations on the least used port, then
//    - whose own up ports are least used, then
//    - whose column has the fewest destinations in the whole fabric, then
//    - of the first column.
//    Neighbours that lead to less than half as many terminals as the best one are left out.
// 2. If cables are missing, some switches with counted terminals cannot reach the chain in the
//    fewest hops. More switches above the destination are added for them, one at a time, each with
//    the path down that adds least to the load of its channels.
// With several addresses per terminal, each offset is planned in its own round. A neighbour above
// that serves fewer earlier addresses of the terminal is then preferred.
//
// Encoding: the covers of a destination are the switches above it at which traffic turns down (the
// chain, and those added in step 2), in order of preference. A switch that reaches a cover in the
// fewest hops goes up to it. Steps are the ports of the paths down.
// Cost: O(up-ports of a chain + switches / 32) per destination on a complete tree.

#include <cstdint>
#include <span>
#include <vector>

#include "routing/engine.hpp"
#include "routing/tree/up_down_order.hpp"

namespace fatwood {

enum class RowVariant : std::uint32_t {};  // see Descents::rows

struct Cover {
  Switch top;
  RowVariant row;       // if `top` is a root
  std::uint32_t taken;  // how often `top` was a cover before
};

struct DownStep {
  Switch at;
  Port port;
};

struct DestinationDescent {
  std::uint32_t first_cover = 0, covers = 0;
  std::uint32_t first_step = 0, steps = 0;
};

// A row of ports towards a root. If switches have a choice of ports towards the root, there are
// several variants of the row, so that destinations can use different ports.
struct RootRow {
  Root root;
  std::uint32_t uses = 0;
};

struct Descents {
  Table<Destination, DestinationDescent> of;
  std::vector<Cover> cover;
  std::vector<DownStep> step;
  Table<RowVariant, RootRow> rows;  // in order of first use

  std::span<const Cover> covers(Destination destination) const {
    return {cover.data() + of[destination].first_cover, of[destination].covers};
  }
  std::span<const DownStep> steps(Destination destination) const {
    return {step.data() + of[destination].first_step, of[destination].steps};
  }
};

// Which chain a destination takes if it has a choice.
enum class Chains : std::uint8_t {
  kLeastUsed,  // as described above
  // The chain of d-mod-k in the tree that the fabric resembles, as far as its cables exist
  // (home_chains.hpp). The load of covers added in step 2 is not counted. So a missing cable moves
  // few chains, and consecutive destinations stay on different channels.
  kHome,
};

// Counted terminals (model.counted()) are planned first.
Descents find_descents(const Model& model, const UpDownOrder& up_down,
                       const ForwardingTables& tables, const RouteOptions& options,
                       Chains chains = Chains::kLeastUsed);

}  // namespace fatwood
