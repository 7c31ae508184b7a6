// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The port graph (topology/graph/port_graph.hpp) with typed ids. The trunks of a switch are
// consecutive: first those that lead down, then those that lead up.

#include <cstdint>
#include <span>
#include <utility>

#include "core/id_range.hpp"
#include "core/ids.hpp"
#include "topology/graph/port_graph.hpp"

namespace fatwood {

enum class Trunk : std::uint32_t {};     // the parallel cables from one switch to another
enum class PortSlot : std::uint32_t {};  // (switch, port): see slot()

constexpr std::uint32_t kPorts = 256;  // slots of a switch: one for each byte of a table
constexpr PortSlot slot(Switch s, Port port) {
  return static_cast<PortSlot>(index(s) * kPorts + index(port));
}

class TreeGraph {
 public:
  TreeGraph() = default;
  explicit TreeGraph(PortGraph graph) : graph_(std::move(graph)) {}

  std::size_t size() const { return graph_.switches; }
  std::size_t num_trunks() const { return graph_.neighbour.size(); }
  std::size_t num_ports() const { return graph_.port.size(); }

  IdRange<Trunk> trunks(Switch s) const { return {first(s), end(s)}; }
  IdRange<Trunk> down(Switch s) const { return {first(s), first_up(s)}; }
  IdRange<Trunk> up(Switch s) const { return {first_up(s), end(s)}; }
  Switch neighbour(Trunk g) const { return Switch{graph_.neighbour[index(g)]}; }
  std::span<const Port> ports(Trunk g) const { return graph_.ports(index(g)); }
  // The index of a trunk's first port in the list of all ports, in the order of the trunks.
  std::uint32_t first_port(Trunk g) const { return graph_.first_port[index(g)]; }
  // The number of ports of these trunks.
  std::uint32_t width(IdRange<Trunk> trunks) const {
    return first_port(trunks.last) - first_port(trunks.first);
  }
  std::uint32_t width(Trunk g) const { return width({g, static_cast<Trunk>(index(g) + 1)}); }

 private:
  Trunk first(Switch s) const { return Trunk{graph_.first[index(s)]}; }
  Trunk first_up(Switch s) const { return Trunk{graph_.first_up[index(s)]}; }
  Trunk end(Switch s) const { return Trunk{graph_.first[index(s) + 1]}; }

  PortGraph graph_;
};

}  // namespace fatwood
