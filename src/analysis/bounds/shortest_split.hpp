// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An upper bound of OLOAD: a routing that splits each flow over all its shortest paths, port by
// port, in proportion to their speeds. Cost: O(switches that receive * channels + flows).

#include "topology/model.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

// The largest channel load.
double shortest_split_load(const Model& model, const Traffic& traffic);

}  // namespace fatwood
