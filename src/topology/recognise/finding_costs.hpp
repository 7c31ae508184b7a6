// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The cost of each finding, in hosts' worth of bandwidth, so that a list can start with the worst.
//
// Method: what hosts can send is spread evenly over the cables up, level by level: a leaf of 20
// hosts with 20 cables up hands one host's worth to each, and so on above. A missing cable costs
// its share of what its lower switch hands up; a slow one the part of its share that it lacks; a
// slow host what it lacks; a host without a cable itself. A finding that disconnects a fabric costs
// all its hosts. Other findings (names, aggregation nodes, cables too many) cost nothing. An
// estimate for order's sake, without routes: `fatwood whatif` computes the cost of a cable with
// them.
// Cost: O(ports).

#include <vector>

#include "topology/recognise/recognition.hpp"

namespace fatwood {

// By finding, in the order they are known in.
std::vector<double> finding_costs(const Fabric& fabric, const Recognition& known);

}  // namespace fatwood
