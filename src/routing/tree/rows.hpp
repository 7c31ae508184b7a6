// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Writes the tables that follow from the descents (descents.hpp).
//
// Method: a row starts as a copy of the default row of the destination's switch: paths down for the
// switches above it, any shortest path up for the others, using columns in turn. Then the covers of
// the destination are laid over it, the most preferred last: a switch that reaches the cover in the
// fewest hops takes its port towards the cover. For a root this is one pass over bytes that selects
// between two rows by (hops up + hops down == fewest). Destination switches run in parallel.
// Cost: O(switches) per destination switch and per destination; the latter is about a copy of the
// row.

#include <functional>
#include <span>
#include <vector>

#include "routing/tree/descents.hpp"
#include "routing/tree/view.hpp"

namespace fatwood {

// Tables of a tree: the order of the switches, the descents, and the rows that follow.
struct TreeRouting {
  UpDownOrder up_down;
  Descents descents;
  ForwardingTables tables;
  int threads = 1;  // to write them
};
// All but the rows, which are not written yet.
TreeRouting prepare_tree(const Model& model, const Levels& levels, const RouteOptions& options,
                         Chains chains = Chains::kLeastUsed);

// Called after a row is written, with its destination switch, from several threads.
using FinishRow = std::function<void(Switch, std::span<Port>)>;

// Ports for switches without a legal route, the same for every destination. There are several such
// rows, and destinations use them in turn.
struct RestRows {
  std::size_t count = 1;
  std::vector<Port> ports;  // [row][switch]
};

void write_tree_tables(const Fabric& fabric, const RestRows& rest, const FinishRow& finish,
                       TreeRouting& tree);

}  // namespace fatwood
