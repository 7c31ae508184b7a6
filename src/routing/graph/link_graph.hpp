// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The cables between switches as directed links, for engines that weight single links or assign
// them to layers. Link l is entry l of PortGraph::port; the links of a switch are consecutive.

#include <cstdint>
#include <vector>

#include "core/id_range.hpp"
#include "core/table.hpp"
#include "topology/graph/port_graph.hpp"

namespace fatwood {

enum class Link : std::uint32_t {};  // one direction of a cable between switches

struct LinkGraph {
  std::size_t switches = 0;
  std::vector<Link> first;          // by switch, and the end
  Table<Link, std::uint32_t> from;  // number of a switch
  Table<Link, std::uint32_t> to;    // number of a switch
  Table<Link, Link> reverse;        // the other direction of the same cable
  Table<Link, Port> port;           // by which it leaves its switch
  std::vector<std::uint32_t> slot;  // by switch: index into by_port
  std::vector<Link> by_port;        // [slot[s] + port]
  // Switches, ordered so that those with the same first neighbour are consecutive. Loops in this
  // order use the cache better when they read data of neighbours.
  std::vector<std::uint32_t> walk;

  std::size_t size() const { return to.size(); }
  IdRange<Link> of(std::uint32_t s) const { return {first[s], first[s + 1]}; }
  // The number of the link among those of its switch.
  std::uint32_t place(Link link) const { return index(link) - index(first[from[link]]); }
  Link link(std::uint32_t s, Port out) const { return by_port[slot[s] + index(out)]; }
};

LinkGraph link_graph(const Fabric& fabric, const PortGraph& graph);

}  // namespace fatwood
