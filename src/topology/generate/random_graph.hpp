// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Random connected graphs from (switches, links, least and largest degree, duplicates, seed), the
// irregular topologies of Table 1 of [Chiu02]. Its own generator is not public; this one's method:
//
// 1. Degrees: all start at the least; the rest of 2*links is dealt one by one to switches drawn at
//    random among those below the largest.
// 2. A random tree within these degrees: switches of degree two or more in random order, each
//    hung on a random open place of those before it, then those of degree one.
// 3. The open places left are joined in pairs at random. When only places of one switch or of
//    neighbours are left, u and v, a random link (a,b) is replaced by (u,a) and (v,b): that keeps
//    degrees, and the graph connected.
// 4. Duplicates: each is parallel to a link drawn at random from those so far.
//
// Degrees count different neighbours, so a switch may have more links than max where there are
// duplicates (Table 1 has 48 links on 16 switches with at most 5 neighbours each).
// Cost: about O(links^2/switches). A draw that fails starts again, 100 times at most.

#include <cstdint>

#include "topology/graph/switch_graph.hpp"

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
SwitchGraph make_random(const RandomGraph& wanted);

}  // namespace fatwood
