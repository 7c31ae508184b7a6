// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Prepares the two sides of node_match.hpp: a plan, and a fabric as discovery finds it.
//
// Names are compared in lower case, without "MF0;", model, domain (".example.com") and parts that
// FabricBuilder generated: "MF0;Leaf1:MQM9700/U1" and "leaf1" are "leaf1". A chip of a director is
// "dir1/l03/u1". An adapter is its host and device: "gpu1 mlx5_3" and "GPU1 HCA-4" are "gpu1|#3".

#include "topology/match/node_match.hpp"
#include "topology/plan/plan_fabric.hpp"

namespace fatwood {

MatchSide planned_side(const Plan& plan, const PlannedFabric& planned);
// Without aggregation nodes and without cables inside boxes.
MatchSide found_side(const Model& model);

}  // namespace fatwood
