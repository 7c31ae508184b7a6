// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The switches of a fabric and the cables between them, packed for the loops of the engines.
//
// A trunk is the set of parallel cables from a switch to one neighbour. The trunks of switch s are
// first[s] .. first[s+1], in order of their lowest port. The ports of trunk g are
// port[first_port[g]] .. port[first_port[g+1]], ascending. Cables from a switch to itself carry no
// routes and are left out.
//
// An engine with a turn rule sorts the trunks of a switch (order_trunks): "down" trunks first, then
// "up" trunks from first_up[s]. Without a rule all are "down".

#include <cstdint>
#include <span>
#include <vector>

#include "core/table.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

struct PortGraph {
  std::size_t switches = 0;
  std::vector<std::uint32_t> first;       // by switch, and the end
  std::vector<std::uint32_t> first_up;    // by switch
  std::vector<std::uint32_t> neighbour;   // by trunk: a switch number
  std::vector<std::uint32_t> first_port;  // by trunk, and the end
  std::vector<Port> port;

  std::span<const Port> ports(std::uint32_t trunk) const {
    return {port.data() + first_port[trunk], port.data() + first_port[trunk + 1]};
  }
};

PortGraph port_graph(const Fabric& fabric);

// The same graph with trunks towards a switch of lower position as "up" and the rest as "down".
// position: a number for each switch, all different.
PortGraph order_trunks(const PortGraph& graph, const Table<Switch, std::uint32_t>& position);

// Hops between all switches: entry [d * switches + s]. kFar: no path.
inline constexpr std::uint16_t kFar = 0x7fff;
// Breadth-first search from 64 switches at a time, one bit each (links are symmetric).
// Cost: O(switches / 64 * cables * diameter + switches^2).
std::vector<std::uint16_t> hop_counts(const PortGraph& graph, int threads);

}  // namespace fatwood
