// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Ring, torus and hypercube of switches ([Chiu02], section 5).

#include <cstdint>
#include <vector>

#include "topology/generate/cable_list.hpp"

namespace fatwood {

CableList make_ring(std::uint32_t switches);  // three or more

// Switch (x1,..,xn) has number (..(x1*d2 + x2)*d3 + ..)+xn. Dimensions of size two get one link,
// not two. Only the last `wrapped` dimensions are rings; the others are open rows. The 3-D tori of
// Table 1 of [Chiu02] have one ring (as their numbers of links show: 4x4x4 has 160).
CableList make_torus(const std::vector<std::uint32_t>& dimensions, std::uint32_t wrapped);

CableList make_hypercube(std::uint32_t dimension);  // 2^dimension switches

}  // namespace fatwood
