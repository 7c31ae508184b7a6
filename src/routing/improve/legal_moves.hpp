// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which entries of tables in use may move, and where to, so that the tables stay up*/down* and can
// still be mixed with the old ones if they could before.
//
// An up entry moves to an upper switch with a legal path, a down entry to a lower switch that goes
// down. A row stays as it is if a switch has an up*/down* path but does not use it. An entry stays
// if it is a fallback route, or if one leads to it.

#include <cstdint>
#include <span>

#include "routing/repair/tables_in_use.hpp"

namespace fatwood {

class LegalMoves {
 public:
  explicit LegalMoves(const TablesInUse& in_use)
      : in_use_(in_use),
        graph_(in_use.model().port_graph()),
        map_(in_use.model().hop_map()),
        level_(in_use.model().levels().level.data()) {}

  // Whether the entry of `from` leads to switch `to`.
  bool leads_to(std::span<const Port> row, std::uint32_t from, std::uint32_t to) const {
    const Hop hop = map_.at(from, row[from]);
    return hop.to_switch() && hop.next() == to;
  }
  // REQUIRES an entry that leads to a switch.
  bool goes_up(std::uint32_t s, Port port) const {
    return level_[map_.at(s, port).next()] > level_[s];
  }

  bool may_move(Destination destination, std::uint32_t s) const;
  // Calls visit(next switch, port) for each other port that the entry may use. REQUIRES may_move.
  template <class Visit>
  void each_port(Destination destination, std::uint32_t s, const Visit& visit) const {
    const auto row = in_use_.tables().row(destination);
    const bool up = goes_up(s, row[s]);
    const Fabric& fabric = in_use_.model().fabric();
    for (const Trunk g : graph_.trunks(Switch{s})) {
      const std::uint32_t n = index(graph_.neighbour(g));
      if (level_[n] == level_[s] || (level_[n] > level_[s]) != up) continue;
      if (!is_legal(destination, row, n, up)) continue;
      for (const Port port : graph_.ports(g)) {
        const Channel c = fabric.channel(fabric.node(Switch{s}), port);
        if (port != row[s] && in_use_.dead()[c] == 0) visit(n, port);
      }
    }
  }

 private:
  bool is_legal(Destination destination, std::span<const Port> row, std::uint32_t n, bool up) const;

  const TablesInUse& in_use_;
  const PortGraph& graph_;
  const HopMap& map_;
  const Level* level_;
};

}  // namespace fatwood
