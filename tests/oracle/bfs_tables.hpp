// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Whole tables by breadth-first search from each destination, lowest port first. Not deadlock-free,
// not balanced: something true to write, read and load.

#include <vector>

#include "routing/tables/routing.hpp"

namespace fatwood::test {

inline ForwardingTables bfs_tables(const Fabric& fabric, unsigned lmc = 0) {
  ForwardingTables tables(fabric.num_terminals(), fabric.num_switches(), lmc);
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    const std::span<Port> row = tables.row(destination);
    std::vector<Switch> queue;
    if (tables.is_switch(destination)) {
      queue.push_back(tables.as_switch(destination));
      row[index(queue[0])] = kOwnPort;
    } else {
      const Terminal t = tables.terminal(destination);
      if (fabric.leaf(t) == kNone<Switch>) continue;
      queue.push_back(fabric.leaf(t));
      row[index(queue[0])] = fabric.leaf_port(t);
    }
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const Node node = fabric.node(queue[i]);
      for (const Channel c : fabric.channels(node)) {
        if (!fabric.connected(c) || !fabric.is_switch(fabric.neighbour(c))) continue;
        const Switch next = fabric.as_switch(fabric.neighbour(c));
        if (row[index(next)] != kNoRoute) continue;
        row[index(next)] = fabric.port(fabric.peer(c));
        queue.push_back(next);
      }
    }
  }
  return tables;
}

}  // namespace fatwood::test
