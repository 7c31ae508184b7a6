// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Estimates the cost of each finding, in hosts' worth of bandwidth, so that a list can start with
// the most expensive one. Routes are not considered; `fatwood whatif` computes exact costs.
//
// Model: the traffic of hosts is spread evenly over the cables up, level by level. A leaf with 20
// hosts and 20 cables up puts one host's worth on each.
// - A missing cable costs the share of its lower switch's traffic that it would carry.
// - A slow cable costs the part of its share that it cannot carry.
// - A slow host costs the bandwidth that it lacks, a host without a cable one host.
// - A finding that disconnects the fabric, or that it is no tree, costs all hosts.
// - Other findings (names, aggregation nodes, extra cables) cost nothing.
// Cost of the computation: O(ports + findings * missing cables).

#include <vector>

#include "topology/recognise/recognition.hpp"

namespace fatwood {

// By finding, in the order of Recognition::findings.
std::vector<double> finding_costs(const Fabric& fabric, const Recognition& known);

}  // namespace fatwood
