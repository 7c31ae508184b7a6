// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A slow count of the pairs with an up*/down* path, on ranked switches.

#include <cstdint>

#include "topology/levels/levels.hpp"
#include "verify/reach/pairs.hpp"

namespace fatwood::oracle {

struct LegalPairs {
  std::uint64_t missing_terminal = 0;  // (switch, terminal) without such a path
  std::uint64_t missing_switch = 0;    // (switch, switch)
};

// Of two switches of one level the one with the higher number is above.
LegalPairs legal_pairs(const Fabric& fabric, const Table<Switch, Level>& level);

// Pairs without a route, each packet walked, although a search from the source finds a path up and
// then down over cables between different levels.
PairCounts legal_but_lost(const Fabric& fabric, const Routing& routing,
                          const Table<Switch, Level>& level);

}  // namespace fatwood::oracle
