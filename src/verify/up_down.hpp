// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Do routes keep to Up*/Down*: never up again once they went down (levels.hpp has the levels)?
// A hop between switches of one level is neither; such routes are counted apart.
//
// Method: outwards along each target's tree, knowing of each switch whether the rest of its route
// has a hop upwards. Cost: O(targets * switches), in parallel over targets.

#include <optional>

#include "topology/levels.hpp"
#include "verify/endpoint.hpp"
#include "verify/pairs.hpp"

namespace fatwood {

struct UpDown {
  PairCounts turning;     // pairs whose route goes down and later up
  PairCounts horizontal;  // pairs whose route has a hop within a level
  // The pair of lowest target, then lowest switch, that turns: from the switch itself.
  std::optional<Switch> first_switch;
  Target first_target = kNone<Target>;
};

// REQUIRES tables of this fabric's size (check_size), not source routes.
UpDown find_turns(const Fabric& fabric, const Routing& routing, const Levels& levels,
                  int threads = 0);

// Pairs without a route although cables lead up and then down from one to the other: what an
// engine that promises no more than Up*/Down* must still join. REQUIRES as above.
PairCounts find_legal_but_lost(const Fabric& fabric, const Routing& routing, const Levels& levels,
                               int threads = 0);

}  // namespace fatwood
