// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Hop counts as OpenSM keeps them: for each switch and destination switch a row of ports with the
// least hops at port 0 and at every port that begins such a path, 255 elsewhere.
//
// Method: which neighbours of a switch are nearer to a destination is a bit for each; destinations
// one after the other mostly agree in them, and then have the same row. Cost: switches^2 x (ports
// of a row + neighbours).

#include <cstdint>
#include <vector>

#include "topology/graph/port_graph.hpp"

namespace fatwood {

class HopRows {
 public:
  // `hops` are those of all pairs of switches, [switch][switch].
  HopRows(const PortGraph& graph, const std::vector<std::uint16_t>& hops)
      : graph_(graph), hops_(hops) {}

  // Writes the rows of switch s, `ports` bytes each: that of destination d to rows[lids[d]]. Rows
  // that are null are malloc'ed. std::bad_alloc when they cannot be.
  void write(std::uint32_t s, const std::vector<Lid>& lids, std::uint8_t** rows, unsigned ports);

 private:
  void find_nearer(std::uint32_t s);
  bool as_before(std::size_t d) const;
  void make_row(std::uint32_t s, std::size_t d);

  const PortGraph& graph_;
  const std::vector<std::uint16_t>& hops_;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> nearer_;  // [word][destination]
  std::vector<std::uint8_t> row_;
};

}  // namespace fatwood
