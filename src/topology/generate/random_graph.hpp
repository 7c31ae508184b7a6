// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Random connected graphs from (switches, links, minimum and maximum degree, duplicates, seed): the
// irregular topologies of Table 1 of [Chiu02]. The generator of the paper is not public. Our
// method:
//
// 1. Degrees: all start at the minimum. The rest of 2*links is given one by one to random switches
//    below the maximum.
// 2. A random tree with these degrees: switches of degree two or more in random order, each
//    connected to a random open place (a link end not yet used) of those before it; then the
//    switches of degree one.
// 3. The remaining open places are connected in random pairs. If the last two places, at u and v,
//    cannot be connected (one switch, or neighbours already), a random link (a,b) is replaced by
//    (u,a) and (v,b). This keeps degrees, and the graph stays connected.
// 4. Duplicates: each is parallel to a random link.
//
// Degrees count different neighbours, so with duplicates a switch may have more links than the
// maximum (Table 1 has 48 links on 16 switches with at most 5 neighbours each).
// Cost: about O(links^2/switches). A failed attempt is repeated at most 100 times.

#include <cstdint>

#include "topology/generate/cable_list.hpp"

namespace fatwood {

struct RandomGraph {
  std::uint32_t switches = 0;
  std::uint32_t links = 0;       // duplicates included
  std::uint32_t min_degree = 1;  // different neighbours
  std::uint32_t max_degree = 8;
  std::uint32_t duplicates = 0;  // links that are parallel to another one
  std::uint64_t seed = 1;
};

// InputError saying which number is wrong and why.
CableList make_random(const RandomGraph& wanted);

}  // namespace fatwood
