// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Cables between switches, one by one: the directed links of a PortGraph with what the engines
// that weigh or layer single links ask of each. Link l is entry l of PortGraph::port; the links of
// a switch follow each other.

#include <cstdint>
#include <vector>

#include "topology/port_graph.hpp"

namespace fatwood {

struct LinkGraph {
  std::size_t switches = 0;
  std::vector<std::uint32_t> first;    // of each switch, and the end
  std::vector<std::uint32_t> from;     // by link
  std::vector<std::uint32_t> to;       // by link
  std::vector<std::uint32_t> reverse;  // by link: the other direction of the same cable
  std::vector<Port> port;              // by link
  std::vector<std::uint32_t> slot;     // of each switch, into by_port
  std::vector<std::uint32_t> by_port;  // [slot[s] + port] -> link
  // Switches in an order that puts those with the same first neighbour beside each other: loops
  // over switches that look at what lies beyond their links find it at hand.
  std::vector<std::uint32_t> walk;

  std::size_t links() const { return to.size(); }
  std::uint32_t link(std::uint32_t s, Port out) const { return by_port[slot[s] + index(out)]; }
};

LinkGraph link_graph(const Fabric& fabric, const PortGraph& graph);

}  // namespace fatwood
