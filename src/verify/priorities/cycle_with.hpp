// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The cycles of a dependency graph with several lanes that have a vertex in a given lane.
//
// Method: a vertex is on a cycle if its strongly connected component (Tarjan) has several vertices,
// or if it depends on itself. A breadth-first search from a vertex finds a shortest cycle through
// it.
// Cost: O(dependencies), then that for each search; at most 64 vertices of a lane are searched.

#include <cstdint>
#include <vector>

#include "verify/deadlock/dependencies.hpp"

namespace fatwood {

class CyclesWith {
 public:
  explicit CyclesWith(const DependencyGraph& graph);

  bool any() const;
  // The vertices of a short cycle with this lane in it, one of that lane first; empty: there is
  // none.
  std::vector<std::uint32_t> through(std::uint32_t lane) const;

 private:
  void find_components();
  std::vector<std::uint32_t> through_vertex(std::uint32_t start, std::size_t below) const;

  const DependencyGraph& graph_;
  std::vector<std::uint32_t> component_;  // by vertex; kAlone if it is on no cycle
  static constexpr std::uint32_t kAlone = 0xffffffffU;
};

}  // namespace fatwood
