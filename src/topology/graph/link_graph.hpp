// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The cables between different switches as directed links, for engines that weight single links or
// assign them to layers.
//
// Question: what is the number of this link, its other direction, its ends? PortGraph has trunks of
// parallel cables, without a number for each and without the other direction. Channels have numbers
// too, but so have the ports of hosts and those without a cable: tables by link are half the size.
// The links of a switch are consecutive.

#include <cstdint>
#include <span>
#include <vector>

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
  // All switches, ordered so that those with the same first neighbour are consecutive. Loops in
  // this order use the cache better when they read data of neighbours.
  std::vector<std::uint32_t> walk;

  std::size_t size() const { return to.size(); }
  IdRange<Link> of(std::uint32_t s) const { return {first[s], first[s + 1]}; }
  // The number of the link among those of its switch.
  std::uint32_t place(Link link) const { return index(link) - index(first[from[link]]); }
  Link link(std::uint32_t s, Port out) const { return by_port[slot[s] + index(out)]; }
};

// The links of a switch in the order of its trunks and ports.
LinkGraph link_graph(const Fabric& fabric, const PortGraph& graph);
// In a given order: `channels` are all that lead to another switch, those of switch 0 first.
LinkGraph link_graph(const Fabric& fabric, std::span<const Channel> channels);

}  // namespace fatwood
