// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The number of terminals on each switch.

#include <cstdint>

#include "topology/fabric.hpp"

namespace fatwood {

inline Table<Switch, std::uint32_t> terminals_on(const Fabric& fabric) {
  Table<Switch, std::uint32_t> count(fabric.num_switches(), 0);
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) != kNone<Switch>) ++count[fabric.leaf(t)];
  }
  return count;
}

}  // namespace fatwood
