// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds the leaves to start from (step 1 of levels.hpp).

#include "topology/fabric.hpp"
#include "topology/graph/port_graph.hpp"

namespace fatwood {

struct LevelSeeds {
  Table<Switch, std::uint32_t> terminals;  // by switch, without aggregation adapters
  Table<Switch, std::uint8_t> leaf;        // 1: a seed
  Table<Switch, std::uint8_t> lifted;      // 1: has terminals but is above the leaves
};

// In a component without terminals, free ports count as future terminals.
// REQUIRES aggregation from aggregation_terminals().
LevelSeeds level_seeds(const Fabric& fabric, const PortGraph& graph, const Components& components,
                       const Table<Terminal, std::uint8_t>& aggregation);

}  // namespace fatwood
