// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Addresses of Ethernet: what the destinations of a routing are called, and groups of next hops
// that leave cables out.

#include <cstddef>
#include <string>
#include <vector>

#include "core/ids.hpp"

namespace fatwood {

// A switch sends a prefix by some of the cables that lead towards its owner.
struct NarrowGroup {
  Switch at = kNone<Switch>;
  std::string prefix;
  std::vector<Port> used, missing;  // of these cables
};

struct Prefixes {
  std::size_t classes = 0;          // of addresses that all switches treat alike, with an owner
  std::vector<std::string> of;      // by destination, "10.1.0.0/24"; "": not known
  std::size_t narrow_groups = 0;    // (switch, class)
  std::size_t narrow_classes = 0;   // with such a group
  std::vector<NarrowGroup> narrow;  // the first of them

  bool empty() const { return of.empty(); }
};

}  // namespace fatwood
