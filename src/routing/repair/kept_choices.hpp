// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Repairs adaptive tables after a loss by leaving choices out: from each group, the ports to
// switches from which the destination can't be reached any more. A default port that is lost is
// replaced by the lowest port of the group. An entry without any port has no route.
//
// Nothing is added, so packets have no dependency that they did not have: what was free of deadlock
// stays so, in any order of writing. Sub-groups of a group that changes become one. The switches do
// not get the ports that a new routing would give them; an engine does that. Cost: O(ports of all
// entries) for each class of destinations.

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
