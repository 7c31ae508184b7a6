// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A small fabric with rails, made fault by fault: units of hosts, one leaf per rail and unit,
// spines over all leaves. Host h of unit u is "hostU-HH" on port h of the unit's leaves, its
// adapters are "hostU-HH mlx5_0", ...

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "topology/fabric.hpp"

namespace fatwood::test {

struct RailPlan {
  unsigned units = 3;
  unsigned hosts = 6;
  unsigned rails = 4;
  unsigned spines = 4;
  bool spines_of_one_rail = false;  // a plane of spines for each rail, and cores over all
  bool storage_leaf = false;        // every host has an adapter mlx5_20 on one more leaf
  // (unit, host, rail), all from 0.
  struct Place {
    unsigned unit, host, rail;
    auto operator<=>(const Place&) const = default;
  };
  std::vector<Place> absent{};                           // adapters that are not there
  std::vector<std::pair<Place, Place>> swapped{};        // cables exchanged at the leaves
  std::map<Place, std::string> descriptions{};           // other than usual
  std::vector<std::pair<unsigned, unsigned>> no_leaf{};  // (unit, rail): leaf left out
};

Fabric rail_fabric(const RailPlan& plan);
// "leafU-R", from 1 as people count.
std::string leaf_name(unsigned unit, unsigned rail);

}  // namespace fatwood::test
