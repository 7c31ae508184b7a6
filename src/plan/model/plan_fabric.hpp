// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Converts a plan to a Fabric, so that every verb works on it, and a Fabric to a plan.
//
// Plan to fabric: chips become nodes. A switch has its device's name, a chip of a director
// "dir1/L03/U1", an adapter the description "gpu1 mlx5_0", as in real fabrics. Chips of one device
// share a system GUID. Unknown GUIDs are generated in natural order of the names, so the order of
// rows makes no difference. A cable of unknown speed gets the most common speed of the plan.
//
// Fabric to plan: adapters are grouped into hosts (hosts/hosts.hpp), chips of a director by the
// name of their system. Aggregation nodes are left out. GUIDs that FabricBuilder generated count as
// unknown. Cost: O(n log n) for n nodes, O(cables).

#include <utility>
#include <vector>

#include "plan/model/plan.hpp"
#include "topology/model.hpp"
#include "topology/run_data.hpp"

namespace fatwood {

struct PlannedFabric {
  Fabric fabric;
  std::vector<std::vector<Node>> nodes;             // by device and chip
  std::vector<std::pair<Channel, Channel>> cables;  // by cable: out of its end a, out of its end b
};

// REQUIRES the invariants of plan.hpp.
PlannedFabric planned_fabric(const Plan& plan);

// `run`: labels of ports, if the run has them.
Plan plan_of(const Model& model, const RunData& run = {});

// Whether FabricBuilder generated this GUID.
bool is_made_up(std::uint64_t guid);

}  // namespace fatwood
