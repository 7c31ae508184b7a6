// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Hop counts as OpenSM stores them. For each switch and destination switch there is a row of ports:
// it has the fewest hops at port 0 and at every port with which a shortest path begins, and 255
// elsewhere.
//
// Method: for each destination, a bit for each neighbour that is nearer to it. Consecutive
// destinations usually have equal bits, and then the same row.
// Cost: switches^2 * (ports of a row + neighbours).

#include <cstdint>
#include <vector>

#include "topology/graph/port_graph.hpp"

namespace fatwood {

class HopRows {
 public:
  // `hops`: of all pairs of switches, [switch][switch].
  HopRows(const PortGraph& graph, const std::vector<std::uint16_t>& hops)
      : graph_(graph), hops_(hops) {}

  // Writes the rows of switch s, `ports` bytes each; that of destination d goes to rows[lids[d]].
  // Rows that are null are malloc'ed. Throws std::bad_alloc.
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
