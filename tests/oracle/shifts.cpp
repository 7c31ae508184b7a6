// SPDX-License-Identifier: BSD-3-Clause
#include "oracle/shifts.hpp"

#include <algorithm>
#include <vector>

#include "oracle/routes.hpp"

namespace fatwood::oracle {

unsigned worst_shift(const Fabric& fabric, const Routing& routing) {
  const auto terminals = static_cast<std::uint32_t>(fabric.num_terminals());
  unsigned worst = 1;
  std::vector<unsigned> flows(fabric.num_channels());
  for (std::uint32_t shift = 1; shift < terminals; ++shift) {
    std::fill(flows.begin(), flows.end(), 0U);
    for (std::uint32_t s = 0; s < terminals; ++s) {
      const Destination destination = routing.tables.destination(Terminal{(s + shift) % terminals});
      const Walk path = walk(fabric, routing, fabric.leaf(Terminal{s}), destination);
      if (!path.ok) return 0;
      for (const Channel c : path.channels) worst = std::max(worst, ++flows[index(c)]);
    }
  }
  return worst;
}

}  // namespace fatwood::oracle
