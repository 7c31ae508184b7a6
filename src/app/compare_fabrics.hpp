// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Two fabrics side by side, for `diff` of every front end: what differs, and, if the first is a
// plan, whether the second is cabled as planned.

#include <optional>

#include "app/open_fabric.hpp"
#include "tasks/check_cabling.hpp"
#include "topology/change/fabric_diff.hpp"

namespace fatwood {

// Opens the second fabric. Ports of Ethernet switches have names: equal names are equal ports.
OpenFabric open_other(const OpenFabric& first, FabricRequest request);

enum class TakenAsPlan : bool { kIfItIsOne, kAlways };  // a formula is one

struct ComparedFabrics {
  FabricDiff fabric;
  std::optional<CablingCheck> cabling = {};
};
// `earlier`: a run before that of `second`, or nullptr. InputError if one of them has no counters.
ComparedFabrics compare_fabrics(const OpenFabric& first, const OpenFabric& second,
                                TakenAsPlan taken, const OpenFabric* earlier = nullptr);

}  // namespace fatwood
