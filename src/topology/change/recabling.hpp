// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Cables that somebody takes out, and cables that somebody puts in: what adding, replacing, moving
// or exchanging cables comes to. Nodes, ports and channels keep their numbers. Cost: O(ports).

#include <string_view>
#include <vector>

#include "topology/fabric.hpp"

namespace fatwood {

struct Recabling {
  struct Cable {
    Channel from, to;  // a port of either end
    Rate rate;
  };
  std::string_view action;   // "add", "replace", "move" or "exchange"
  std::vector<Channel> out;  // one end of each cable that is taken out
  std::vector<Cable> in;
};

// REQUIRES that the ports of new cables are free, or become free.
Fabric recabled(const Fabric& fabric, const Recabling& change);

// The same cable at another rate.
Recabling replaced_cable(const Fabric& fabric, Channel cable, Rate rate);

}  // namespace fatwood
