// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Switches and the links between them, before they become a fabric with terminals: what the
// generators of rings, tori, hypercubes and random graphs have in common ([Chiu02], section 6.2).

#include <cstdint>
#include <utility>
#include <vector>

#include "topology/fabric.hpp"

namespace fatwood {

struct SwitchGraph {
  std::uint32_t switches = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links;  // no link joins a switch to itself
};

// Attaches the terminals one by one, each to the switch of smallest degree (terminals count; the
// lowest number on a tie). Switches "S<i>" with links on ports 1.. in order of the list, then
// terminals "H<i>", numbered by their switches. InputError when a switch would need more than
// kMaxPorts ports.
Fabric with_terminals(const SwitchGraph& graph, std::uint32_t terminals);

}  // namespace fatwood
