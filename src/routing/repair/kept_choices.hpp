// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Repairs adaptive tables after a loss by removing choices only.
//
// Each group loses the ports to switches from which the destination can no longer be reached. A
// lost default port is replaced by the lowest port of the group. An entry without any port left has
// no route.
//
// No port is added, so there is no new dependency: tables that were free of deadlock stay so,
// whatever the order of writing. A group with several sub-groups that changes gets a single one.
// Only an engine can give switches new ports. Cost: O(ports of all entries) for each class of
// destinations.

#include <vector>

#include "routing/repair/row_repair.hpp"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct KeptChoices {
  Routing routing;
  std::vector<TableEntry> changed;  // entries whose group or default port must be written
};

// REQUIRES adaptive tables, as switches hold them on this fabric (carried_tables.hpp).
KeptChoices keep_choices(const Model& model, const Routing& old, int threads = 0);

}  // namespace fatwood
