// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Writes the tables of a planned tree.
//
// Method: a row starts as the default of the destination switch: the view's paths down, and for all
// other switches any shortest path up, columns in turn. Each cover of the destination is then laid
// over it, the most preferred last: a switch that reaches the cover in the fewest hops takes the
// port towards it. For roots that is one pass over bytes: (hops up + hops down == fewest) selects
// between two rows. Rows of different destination switches are independent and run in parallel.
// Cost: O(switches) per switch and destination, the latter in byte vectors: about a copy of the
// row.

#include <functional>
#include <span>
#include <vector>

#include "routing/tree/plan.hpp"
#include "routing/tree/view.hpp"

namespace fatwood {

// Towards a destination seen through the view, after its row is written; called from several
// threads.
using FinishRow = std::function<void(const TreeView&, std::span<Port>)>;

// Ports of switches that have no legal route to a destination, whatever the destination: rows of a
// byte for each switch, which destinations take in turn.
struct RestRows {
  std::size_t count = 1;
  std::vector<Port> ports;  // [row][switch]
};

void write_tree_tables(const Fabric& fabric, const UpDownOrder& up_down, const TreePlan& plan,
                       const RestRows& rest, const FinishRow& finish, int threads,
                       ForwardingTables& tables);

}  // namespace fatwood
