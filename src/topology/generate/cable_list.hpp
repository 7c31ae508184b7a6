// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Switches and cables before they become a fabric with ports and terminals: what the generators of
// rings, tori, hypercubes and random graphs make ([Chiu02], section 6.2).

#include <cstdint>
#include <utility>
#include <vector>

#include "topology/fabric.hpp"

namespace fatwood {

// InputError if a formula asks for more cables, those of terminals included, than fit the memory
// and the patience of its user: 2^23, about 30 times the largest machine of 2026.
void check_cables(std::uint64_t cables);

struct CableList {
  std::uint32_t switches = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> cables;  // between different switches
};

// Attaches the terminals one by one, each to the switch of smallest degree (terminals count; the
// lowest number on a tie). Switches are "S<i>", with cables on ports 1.. in order of the list.
// Terminals are "H<i>", numbered by switch. InputError if a switch needs more than kMaxPorts ports.
Fabric with_terminals(const CableList& list, std::uint32_t terminals);

// Ring, torus and hypercube of switches ([Chiu02], section 5).
CableList make_ring(std::uint32_t switches);  // three or more
// Switch (x1,..,xn) has number (..(x1*d2 + x2)*d3 + ..)+xn. Dimensions of size two get one link,
// not two. Only the last `wrapped` dimensions are rings; the others are open rows. The 3-D tori of
// Table 1 of [Chiu02] have one ring (as their numbers of links show: 4x4x4 has 160).
CableList make_torus(const std::vector<std::uint32_t>& dimensions, std::uint32_t wrapped);
CableList make_hypercube(std::uint32_t dimension);  // 2^dimension switches

}  // namespace fatwood
