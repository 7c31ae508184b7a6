// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A plan as a Fabric, so that every verb works on it, and a Fabric as a plan.
//
// Chips become nodes: a switch has its device's name, a chip of a director "dir1/L03/U1", an
// adapter the description "gpu1 mlx5_0" that real ones have. Chips of one device share a system
// GUID. GUIDs that are not known are made up, in natural order of the names, so that the order of
// rows counts for nothing. A cable of unknown speed has the most common one of the plan.
//
// In the other direction adapters are grouped to hosts (hosts/hosts.hpp) and the chips of a
// director by their system's name; aggregation nodes are left out. GUIDs that FabricBuilder made up
// are not known. Cost: O(n log n) in nodes, O(cables).

#include <utility>
#include <vector>

#include "topology/model.hpp"
#include "topology/plan/plan.hpp"
#include "topology/run_data.hpp"

namespace fatwood {

struct PlannedFabric {
  Fabric fabric;
  std::vector<std::vector<Node>> nodes;             // by device and chip
  std::vector<std::pair<Channel, Channel>> cables;  // by cable: out of its end a, out of its end b
};

// REQUIRES the invariants of plan.hpp.
PlannedFabric planned_fabric(const Plan& plan);

// `run`: labels of ports, where a run has them.
Plan plan_of(const Model& model, const RunData& run = {});

// Whether FabricBuilder made up this GUID.
bool is_made_up(std::uint64_t guid);

}  // namespace fatwood
