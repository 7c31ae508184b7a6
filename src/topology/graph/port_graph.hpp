// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The switches of a fabric and the cables between them, packed for loops that run often.
//
// Question: which switches are next to this one, and by which ports? Fabric has single ports, with
// hosts and empty ones in between; LinkGraph has single cables, with a number for each direction.
// Here the parallel cables from a switch to one neighbour are one trunk.
//
// The trunks of a switch are consecutive, in order of their lowest port unless a rule sorts them;
// the ports of a trunk ascend. Cables from a switch to itself carry no routes and are left out.
//
// A turn rule sorts the trunks of a switch (order_trunks): those that lead down first, then those
// that lead up. Without a rule all lead down.

#include <cstdint>
#include <span>
#include <vector>

#include "core/table.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

enum class Trunk : std::uint32_t {};  // the parallel cables from one switch to another

class PortGraph {
 public:
  std::size_t size() const { return first_up_.size(); }  // switches
  std::size_t num_trunks() const { return neighbour_.size(); }
  std::size_t num_ports() const { return port_.size(); }

  IdRange<Trunk> trunks(Switch s) const { return {first_[index(s)], first_[index(s) + 1]}; }
  IdRange<Trunk> down(Switch s) const { return {first_[index(s)], first_up_[index(s)]}; }
  IdRange<Trunk> up(Switch s) const { return {first_up_[index(s)], first_[index(s) + 1]}; }
  Switch neighbour(Trunk g) const { return neighbour_[index(g)]; }
  std::span<const Switch> neighbours(Switch s) const {  // in order of trunks
    return {neighbour_.data() + index(first_[index(s)]),
            neighbour_.data() + index(first_[index(s) + 1])};
  }
  std::span<const Port> ports(Trunk g) const {
    return {port_.data() + first_port(g), port_.data() + first_port_[index(g) + 1]};
  }
  // The index of a trunk's first port in the list of all ports, in the order of the trunks.
  std::uint32_t first_port(Trunk g) const { return first_port_[index(g)]; }
  // The number of ports: cables of a trunk, of several trunks, of a switch to other switches.
  std::uint32_t width(Trunk g) const { return width({g, static_cast<Trunk>(index(g) + 1)}); }
  std::uint32_t width(IdRange<Trunk> trunks) const {
    return first_port(trunks.last) - first_port(trunks.first);
  }
  std::uint32_t width(Switch s) const { return width(trunks(s)); }

  // The same graph with the trunks of each switch in another order. arrange(s, trunks) permutes
  // them and returns how many lead down.
  template <class Arrange>
  PortGraph arranged(const Arrange& arrange) const {
    PortGraph result;
    std::vector<Trunk> order;
    for (const Switch s : ids<Switch>(size())) {
      order.clear();
      for (const Trunk g : trunks(s)) order.push_back(g);
      const auto down = static_cast<std::uint32_t>(arrange(s, std::span(order)));
      for (const Trunk g : order) result.push_trunk(neighbour(g), ports(g));
      result.end_switch(down);
    }
    return result;
  }

 private:
  friend PortGraph port_graph(const Fabric& fabric);

  void push_trunk(Switch to, std::span<const Port> ports);
  // All trunks since the last call are those of the next switch; the first `down` lead down.
  void end_switch(std::uint32_t down);

  std::vector<Trunk> first_{Trunk{0}};        // by switch, and the end
  std::vector<Trunk> first_up_;               // by switch
  std::vector<Switch> neighbour_;             // by trunk
  std::vector<std::uint32_t> first_port_{0};  // by trunk, and the end
  std::vector<Port> port_;
};

PortGraph port_graph(const Fabric& fabric);

// The same graph with trunks towards a switch of lower position as "up" and the rest as "down".
// position: a number for each switch, all different.
PortGraph order_trunks(const PortGraph& graph, const Table<Switch, std::uint32_t>& position);

// Channels from one switch to another, in order of ports.
std::vector<Channel> cables_from(const Fabric& fabric, Switch from, Switch to);
// Their number. Cost: O(neighbours).
std::uint32_t cables_between(const PortGraph& graph, Switch a, Switch b);

// The connected component of each switch, numbered from 0 in order of the first switch.
struct Components {
  Table<Switch, std::uint32_t> component;
  std::uint32_t count = 0;
};
Components connected_components(const PortGraph& graph);

// Hops between all switches: entry [d * switches + s]. kFar: no path.
inline constexpr std::uint16_t kFar = 0x7fff;
// Breadth-first search from 64 switches at a time, one bit each (links are symmetric).
// Cost: O(switches / 64 * cables * diameter + switches^2).
std::vector<std::uint16_t> hop_counts(const PortGraph& graph, int threads);

}  // namespace fatwood
